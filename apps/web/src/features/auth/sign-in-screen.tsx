import { useEffect, useRef } from 'react';
import { useSession, useSessionState } from './session-context.tsx';
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
  const isSignedIn = useSessionState().status === 'signed-in';
  const isOnline = useOnline();
  const leave = useRef(onSignedIn);
  useEffect(() => {
    leave.current = onSignedIn;
  }, [onSignedIn]);
  // Also when it was another tab that signed in, or the network that came back and found the session alive.
  useEffect(() => {
    if (isSignedIn) leave.current();
  }, [isSignedIn]);
  return (
    <SignInForm
      hasSessionEnded={hasSessionEnded}
      isOnline={isOnline}
      signIn={({ email, password, isOwnDevice }) => session.signIn(email, password, { ownDevice: isOwnDevice })}
    />
  );
}
