import { dismissMissing, lazyPart } from '#/page/lazy-part.tsx';
import { useOverlays } from '#/page/overlays-context.ts';

const UnsentDialog = lazyPart(async () => (await import('./unsent-dialog.tsx')).UnsentDialog, {
  onMissing: dismissMissing,
});

/** Shows what waits on this device. */
export function useUnsentList(): () => void {
  const overlays = useOverlays();
  return () => void overlays.create(UnsentDialog, { destroyOnClose: true }).open();
}
