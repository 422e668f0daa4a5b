import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { HandoverPane } from './panel/handover-pane.tsx';
import { NewHandover } from './writing/new-handover.tsx';

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
