import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** What stands beside an alert in a chat: the button that takes it on, or who did. */
export const CensusAlertAct = lazyPart(async () => (await import('./board/alert-act.tsx')).AlertAct, {
  // The line keeps its height.
  whileLoading: () => <div className="m-act" />,
});
