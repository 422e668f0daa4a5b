import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** A51: set-up happens once in the life of an installation: nobody else waits for its code. */
export const SetUpScreen = lazyPart(async () => (await import('./set-up-screen.tsx')).SetUpScreen, {
  onMissing: () => undefined,
});
