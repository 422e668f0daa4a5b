import { useOverlays } from '#/shared/contexts/overlays-context.ts';
import { dismissMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';

const UnsentDialog = lazyPart(async () => (await import('./unsent-dialog.tsx')).UnsentDialog, {
  onMissing: dismissMissing,
});

/** Shows what waits on this device. */
export function useUnsentList(): () => void {
  const overlays = useOverlays();
  return () => void overlays.create(UnsentDialog, { destroyOnClose: true }).open();
}
