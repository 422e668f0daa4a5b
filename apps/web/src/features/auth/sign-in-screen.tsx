import { useSession } from './session-context.tsx';
import { SignInForm } from './sign-in-form.tsx';
import type { SignInNotice } from './sign-in-notice.ts';
import { SignOutNotice } from './sign-out-notice.tsx';
import { useLeaveWhenSignedIn } from './use-leave-when-signed-in.ts';

interface SignInScreenProps {
  readonly notice: SignInNotice | null;
  readonly canSignUp: boolean;
  readonly onSignedIn: () => void;
}

/** Sign-in with email and password. */
export function SignInScreen({ notice, canSignUp, onSignedIn }: SignInScreenProps) {
  const session = useSession();
  useLeaveWhenSignedIn(onSignedIn);
  return (
    <SignInForm
      notice={notice}
      above={<SignOutNotice />}
      canSignUp={canSignUp}
      signIn={({ email, password, isOwnDevice }) => session.signIn(email, password, { ownDevice: isOwnDevice })}
    />
  );
}
