import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** ACC-1: the page of somebody without a facility. Few ever see it: nobody else waits for its code. */
export const WaitingScreen = lazyPart(async () => (await import('./waiting-screen.tsx')).WaitingScreen, {
  onMissing: () => undefined,
});

export const InvitationLost = lazyPart<object>(async () => (await import('./waiting-screen.tsx')).InvitationLost);
