import { useOverlays } from '#/shared/contexts/overlays-context.ts';
import { dismissMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import type { Question } from './confirm-dialog.tsx';

const ConfirmDialog = lazyPart(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog, {
  onMissing: dismissMissing,
});

/** Asks before something that cannot be taken back. True once that is wanted and done; undefined where it is not wanted. */
export function useConfirm(): (question: Question) => Promise<true | undefined> {
  const overlays = useOverlays();
  return (question) => overlays.create(ConfirmDialog, { destroyOnClose: true }).open({ question });
}
