import { type ReactNode, useState } from 'react';
import { useOutboxCount } from '#/features/chat/index.ts';
import { SignOutDialog } from './sign-out-dialog.tsx';
import { useSignOut } from './use-sign-out.ts';

interface Leave {
  readonly leave: () => void;
  /** What is asked first while something waits to be sent; to be drawn where it is used. */
  readonly question: ReactNode;
}

/** Ends the session; first asks what becomes of messages that were never sent. */
export function useLeave(): Leave {
  const { waiting, failed } = useOutboxCount();
  const { settle, signOut } = useSignOut();
  const [isAsking, setIsAsking] = useState(false);
  const unsent = waiting + failed;
  const leave = async () => {
    if (unsent === 0 || (await settle())) await signOut({ discardUnsent: false });
    else setIsAsking(true);
  };
  return {
    leave: () => void leave(),
    question: isAsking && (
      <SignOutDialog
        unsent={unsent}
        onClose={() => setIsAsking(false)}
        onSignOut={(discardUnsent) => void signOut({ discardUnsent })}
      />
    ),
  };
}
