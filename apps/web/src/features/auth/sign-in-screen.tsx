import type { ReactNode } from 'react';
import { useSession } from './session-context.tsx';
import { SignInForm, type SignInNotice } from './sign-in-form.tsx';
import { SignOutNotice } from './sign-out-notice.tsx';
import { useLeaveWhenSignedIn } from './use-leave-when-signed-in.ts';

interface SignInScreenProps {
  readonly notice: SignInNotice | null;
  readonly kept?: ReactNode;
  readonly canSignUp: boolean;
  readonly onSignedIn: () => void;
}

/** Sign-in with email and password. */
export function SignInScreen({ notice, kept, canSignUp, onSignedIn }: SignInScreenProps) {
  const session = useSession();
  useLeaveWhenSignedIn(onSignedIn);
  return (
    <SignInForm
      notice={notice}
      above={<SignOutNotice />}
      kept={kept}
      canSignUp={canSignUp}
      signIn={({ email, password, isOwnDevice }) => session.signIn(email, password, { ownDevice: isOwnDevice })}
    />
  );
}
