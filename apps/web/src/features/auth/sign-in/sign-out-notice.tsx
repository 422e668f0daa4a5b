import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { useSession, useSessionState } from '../core/session-context.tsx';

/** While the server has not ended the session that was signed out of, nothing says that one is signed out (F-L1). */
export function SignOutNotice() {
  const session = useSession();
  const state = useSessionState();
  const [hasWaited, setHasWaited] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  if (state.status !== 'signed-out') return null;
  if (state.reason !== 'not-ended') return hasWaited ? <Banner tone="success">You are signed out.</Banner> : null;
  if (!hasWaited) setHasWaited(true);
  const tryAgain = async () => {
    setIsBusy(true);
    await session.refresh();
    setIsBusy(false);
  };
  return (
    <Banner
      tone="warning"
      announce="alert"
      title="You are not signed out yet."
      action={
        <Button variant="link" isLoading={isBusy} onClick={() => void tryAgain()}>
          Try again
        </Button>
      }
    >
      The server did not end your session. Keep this page open: it is tried again until the server has.
    </Banner>
  );
}
