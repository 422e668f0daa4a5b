import { type ReactNode, useState } from 'react';
import { useSession } from './session-context.tsx';
import { type Credentials, SignInForm } from './sign-in-form.tsx';
import type { SignInNotice } from './sign-in-notice.ts';
import { SignOutNotice } from './sign-out-notice.tsx';
import { useLeaveWhenSignedIn } from './use-leave-when-signed-in.ts';

interface SignInScreenProps {
  readonly notice: SignInNotice | null;
  readonly canSignUp: boolean;
  readonly hasPasskeys: boolean;
  readonly onSignedIn: () => void;
}

/** Sign-in with email and password, and the second step of accounts that have one. */
export function SignInScreen({ notice, canSignUp, hasPasskeys, onSignedIn }: SignInScreenProps) {
  const session = useSession();
  const [second, setSecond] = useState<ReactNode>(null);
  useLeaveWhenSignedIn(onSignedIn);
  const signIn = async (given: Credentials) => {
    try {
      await session.signIn(given.email, given.password, { ownDevice: given.isOwnDevice });
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'two_factor_required') throw error;
      // Its code is no part of the first visit; where it can't be loaded, the form says so.
      const { SecondStep } = await import('./second-step.tsx');
      setSecond(
        <SecondStep given={given} byPasskey={hasPasskeys ? byPasskey : undefined} onBack={() => setSecond(null)} />,
      );
    }
  };
  const byPasskey = async (isOwnDevice: boolean) => {
    const { PasskeyStep } = await import('./passkey-step.tsx');
    setSecond(<PasskeyStep isOwnDevice={isOwnDevice} onBack={() => setSecond(null)} />);
  };
  return (
    second ?? (
      <SignInForm
        notice={notice}
        above={<SignOutNotice />}
        canSignUp={canSignUp}
        signIn={signIn}
        byPasskey={hasPasskeys ? byPasskey : undefined}
      />
    )
  );
}
