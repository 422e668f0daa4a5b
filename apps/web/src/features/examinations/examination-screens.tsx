import type { Patient } from '@wardline/contract/chat/chat.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import type { ReactNode } from 'react';
import type { CiteOffer, LinkedFinding } from '#/features/examinations/citing/finding-menu.tsx';
import type { ShowPictures } from '#/features/examinations/core/pictures-context.ts';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** No chat waits for the code of an examination; while it comes the pane is there, and empty. */
const Empty = () => <section className="pane pane-detail" aria-label="Examination" />;
const ways = { whileLoading: Empty, onMissing: () => undefined, whenMissing: Empty };
const ExaminationPane = lazyPart(
  async () => (await import('#/features/examinations/panel/examination-pane.tsx')).ExaminationPane,
  ways,
);
const ExaminationsPane = lazyPart(
  async () => (await import('#/features/examinations/list/examinations-pane.tsx')).ExaminationsPane,
  ways,
);

/** What stands below a line of a chat that tells of an examination. */
export const ExaminationAct = lazyPart(
  async () => (await import('#/features/examinations/list/examination-act.tsx')).ExaminationAct,
  {
    // The line keeps its height.
    whileLoading: () => <div className="m-act" />,
  },
);

interface ExaminationDetailProps {
  readonly facility: Facility;
  readonly chatId: string;
  /** Null for all of them. */
  readonly examinationId: string | null;
  readonly me: { readonly id: string; readonly name: string };
  /** Whom the chat is about, as far as this device knows. */
  readonly patient: Patient | null;
  /** An urgent message into the chat; the chat's own. */
  readonly urgent: (offer: UrgentText) => ReactNode;
  /** In the menu of a finding: puts it into the message that is written in the chat; the chat's own. */
  readonly cite: (offer: CiteOffer) => ReactNode;
  /** The pictures of the chat, looked at or marked; the chat's own. */
  readonly pictures: ShowPictures;
  /** The finding that the address names, and the visit that brought it. */
  readonly linked: LinkedFinding | null;
}

/** What an urgent message begins with, and what is done when it is sent or given up. */
interface UrgentText {
  readonly text: string;
  readonly onClose: () => void;
}

/** The third pane of a chat: an examination, or all of them. */
export function ExaminationDetail({ examinationId, me, patient, ...place }: ExaminationDetailProps) {
  const chatPath = `/chat/f-${place.facility.id}/c-${place.chatId}`;
  if (examinationId === null) return <ExaminationsPane key={place.chatId} {...place} {...{ me, patient, chatPath }} />;
  return <ExaminationPane key={examinationId} {...place} {...{ examinationId, chatPath }} myId={me.id} />;
}
