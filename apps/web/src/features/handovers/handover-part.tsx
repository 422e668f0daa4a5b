import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** No chat waits for the code of a hand-over; while it comes the pane is there, and empty. */
const Empty = () => <section className="pane pane-detail" aria-label="Hand-over" />;

export const HandoverDetail = lazyPart(async () => (await import('./handover-detail.tsx')).HandoverDetail, {
  ...{ whileLoading: Empty, onMissing: () => undefined, whenMissing: Empty },
});
