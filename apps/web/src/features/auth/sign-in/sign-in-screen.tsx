import type { ClientConfig } from '@wardline/contract/config.ts';
import { type ReactNode, useState } from 'react';
import { useSession } from '../core/session-context.tsx';
import { useLeaveWhenSignedIn } from '../core/use-leave-when-signed-in.ts';
import { type Credentials, SignInForm } from './sign-in-form.tsx';
import type { SignInNotice } from './sign-in-notice.ts';
import { SignOutNotice } from './sign-out-notice.tsx';

interface SignInScreenProps {
  readonly notice: SignInNotice | null;
  readonly canSignUp: boolean;
  readonly hasPasskeys: boolean;
  /** Where one may sign in besides here. */
  readonly providers?: ClientConfig['sso'] | undefined;
  readonly onSignedIn: () => void;
}

/** Sign-in with email and password, and the second step of accounts that have one. */
export function SignInScreen({ notice, canSignUp, hasPasskeys, providers, onSignedIn }: SignInScreenProps) {
  const session = useSession();
  const [second, setSecond] = useState<ReactNode>(null);
  useLeaveWhenSignedIn(onSignedIn);
  // Its code is no part of the first visit; where it can't be loaded, the form says so.
  const goOn = async (given: Credentials) => {
    const { FurtherSteps } = await import('./further-steps.tsx');
    setSecond(<FurtherSteps given={given} hasPasskeys={hasPasskeys} onBack={() => setSecond(null)} />);
  };
  const signIn = async (given: Credentials) => {
    try {
      if (given.email) await session.signIn(given.email, given.password, { ownDevice: given.isOwnDevice });
      else await goOn(given);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'two_factor_required') throw error;
      await goOn(given);
    }
  };
  return second ?? <SignInForm {...{ notice, canSignUp, hasPasskeys, signIn, providers }} above={<SignOutNotice />} />;
}
