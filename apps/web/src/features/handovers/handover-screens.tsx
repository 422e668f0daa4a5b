import type { Facility } from '@wardline/contract/facilities.ts';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** No chat waits for the code of a hand-over; while it comes the pane is there, and empty. */
const Empty = () => <section className="pane pane-detail" aria-label="Hand-over" />;
const ways = { whileLoading: Empty, onMissing: () => undefined, whenMissing: Empty };
const HandoverPane = lazyPart(
  async () => (await import('#/features/handovers/panel/handover-pane.tsx')).HandoverPane,
  ways,
);
const NewHandover = lazyPart(
  async () => (await import('#/features/handovers/writing/new-handover.tsx')).NewHandover,
  ways,
);

/** What stands below a line of a chat that tells of a hand-over. */
export const HandoverAct = lazyPart(async () => (await import('./handover-act.tsx')).HandoverAct, {
  // The line keeps its height.
  whileLoading: () => <div className="m-act" />,
});

/** On the dashboard: what waits for me. */
export const HandoversWaiting = lazyPart<{ readonly userId: string }>(
  async () => (await import('./handovers-waiting.tsx')).HandoversWaiting,
);

interface HandoverDetailProps {
  readonly facility: Facility;
  readonly chatId: string;
  /** The chat's own id is the sheet that is being written of it. */
  readonly handoverId: string;
  readonly myId: string;
}

/** The third pane of a chat: a hand-over, or the one that is being written. */
export function HandoverDetail({ handoverId, ...place }: HandoverDetailProps) {
  const chatPath = `/chat/f-${place.facility.id}/c-${place.chatId}`;
  if (handoverId === place.chatId) return <NewHandover key={place.chatId} {...place} chatPath={chatPath} />;
  return <HandoverPane key={handoverId} {...place} {...{ handoverId, chatPath }} />;
}
