import { useChatRuntime } from '#/features/chat/index.ts';
import { useOverlays } from '#/page/overlays-context.ts';
import { SignOutDialog } from './sign-out-dialog.tsx';
import { useSignOut } from './use-sign-out.ts';

/** Ends the session; first asks what becomes of messages that were never sent. */
export function useLeave(): () => void {
  const { outbox } = useChatRuntime();
  const { settle, signOut } = useSignOut();
  const overlays = useOverlays();
  const leave = async () => {
    if (await settle()) return signOut({ discardUnsent: false });
    const { waiting, failed } = outbox.get();
    const question = overlays.create(SignOutDialog, { destroyOnClose: true });
    const choice = await question.open({ unsent: waiting + failed });
    if (choice !== undefined) await signOut({ discardUnsent: choice === 'discard' });
  };
  return () => void leave();
}
