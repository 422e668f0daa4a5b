import { useDevice } from '#/page/device-context.ts';
import { useOverlays } from '#/page/overlays-context.ts';
import { SignOutDialog } from './sign-out-dialog.tsx';
import { useSignOut } from './use-sign-out.ts';

/** Ends the session; first asks what becomes of what was never sent. */
export function useLeave(): () => void {
  const { outbox } = useDevice();
  const { settle, signOut } = useSignOut();
  const overlays = useOverlays();
  const leave = async () => {
    if (await settle()) return signOut({ discardUnsent: false });
    const { waiting, failed, kinds } = outbox.count.get();
    const question = overlays.create(SignOutDialog, { destroyOnClose: true });
    const choice = await question.open({ unsent: waiting + failed, kinds });
    if (choice !== undefined) await signOut({ discardUnsent: choice === 'discard' });
  };
  return () => void leave();
}
