import { useSession } from './session-context.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useOnline } from './use-online.ts';

interface SignInScreenProps {
  /** Sent here because the session ended by itself. */
  readonly hasSessionEnded: boolean;
  readonly onSignedIn: () => void;
}

/** Sign-in with email and password. */
export function SignInScreen({ hasSessionEnded, onSignedIn }: SignInScreenProps) {
  const session = useSession();
  const isOnline = useOnline();
  return (
    <SignInForm
      hasSessionEnded={hasSessionEnded}
      isOnline={isOnline}
      signIn={async ({ email, password, isOwnDevice }) => {
        await session.signIn(email, password, { ownDevice: isOwnDevice });
        onSignedIn();
      }}
    />
  );
}
