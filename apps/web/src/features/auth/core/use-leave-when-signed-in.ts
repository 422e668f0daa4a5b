import { useEffect, useRef } from 'react';
import { useSessionState } from './session-context.tsx';

/** Leaves a page for guests once somebody is signed in: here, in another tab, or when the network shows that they were. */
export function useLeaveWhenSignedIn(onSignedIn: () => void): void {
  const isSignedIn = useSessionState().status === 'signed-in';
  const leave = useRef(onSignedIn);
  useEffect(() => {
    leave.current = onSignedIn;
  }, [onSignedIn]);
  useEffect(() => {
    if (isSignedIn) leave.current();
  }, [isSignedIn]);
}
