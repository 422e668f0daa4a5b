import { reportsOnlyHere } from '#/features/census/index.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { useOverlays } from '#/shared/contexts/overlays-context.ts';
import { SignOutDialog } from './sign-out-dialog.tsx';
import { typedOnlyHere } from './typed-only-here.ts';
import { useSignOut } from './use-sign-out.ts';

/** Ends the session; first asks what becomes of what was never sent, and before something typed is lost. */
export function useLeave(): () => void {
  const device = useDevice();
  const call = useCall();
  const { settle, signOut } = useSignOut();
  const overlays = useOverlays();
  const leave = async () => {
    const isSettled = await settle();
    const all = [await reportsOnlyHere(device, call), ...(await typedOnlyHere(device))].flatMap((one) => one ?? []);
    const [first] = all;
    const lost = first ? { title: first.title, text: all.map(({ text }) => text).join(' ') } : null;
    if (isSettled && !lost) return signOut({ discardUnsent: false });
    const { waiting, failed, kinds } = device.outbox.count.get();
    const question = overlays.create(SignOutDialog, { destroyOnClose: true });
    const choice = await question.open({ unsent: waiting + failed, kinds, lost });
    if (choice !== undefined) await signOut({ discardUnsent: choice === 'discard' });
  };
  return () => void leave();
}
