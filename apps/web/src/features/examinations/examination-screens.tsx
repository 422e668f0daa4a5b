import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** What stands in the place of an examination that is not there; no chat waits for its code. */
export const ExaminationGone = lazyPart(async () => (await import('./examination-gone.tsx')).ExaminationGone, {
  onMissing: () => undefined,
});
