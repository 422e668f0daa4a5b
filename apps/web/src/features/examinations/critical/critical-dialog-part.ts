import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** Asked for at few signatures. */
export const CriticalDialog = lazyPart(async () => (await import('./critical-dialog.tsx')).CriticalDialog, {
  onMissing: closeMissing,
});
