import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** What stands below a line of a chat that tells of a hand-over. */
export const HandoverAct = lazyPart(async () => (await import('./handover-act.tsx')).HandoverAct, {
  // The line keeps its height.
  whileLoading: () => <div className="m-act" />,
});

/** On the dashboard: what waits for me. */
export const HandoversWaiting = lazyPart<{ readonly userId: string }>(
  async () => (await import('./handovers-waiting.tsx')).HandoversWaiting,
);
