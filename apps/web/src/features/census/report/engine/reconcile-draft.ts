import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { UnitDay } from '@wardline/contract/census/unit.ts';
import { draftOf, isSameDraft, type ReportDraft } from './report-draft.ts';
import type { ReportPayload } from './report-unit.ts';

/** How an answer of the server meets what stands on this device. */
export type Meeting =
  /** Nobody has typed anything. */
  | 'untouched'
  /** What is typed stands on this version. */
  | 'fitting'
  /** What was submitted here has not arrived: the answer to it will tell. */
  | 'under way'
  | 'older'
  /** Both say the same, or the answer tells of an earlier try. */
  | 'same'
  /** Nobody else has typed anything there: an earlier day has moved the opening, or it is what this device has sent. */
  | 'moved'
  | 'differs';

interface ActiveAlert {
  readonly base: UnitDay;
  readonly draft: ReportDraft;
  readonly unsent: OutboxItem<ReportPayload> | null;
}

/** `sent`: what left this device since the last answer, by client id. */
export function meetingOf({ base, draft, unsent }: ActiveAlert, day: UnitDay, sent: readonly string[] = []): Meeting {
  const stood = draftOf(base);
  const told = draftOf(day);
  if (unsent === null && isSameDraft(draft, stood)) return 'untouched';
  if (unsent !== null && unsent.state !== 'failed') return 'under way';
  if (day.version === base.version) return 'fitting';
  if (day.version < base.version) return 'older';
  if (isSameDraft(draft, told)) return 'same';
  const isAsBefore = day.may.edit && day.status === base.status && isSameDraft(stood, told);
  const isMine = day.may.edit && typeof day.saved_request === 'string' && sent.includes(day.saved_request);
  return unsent === null && (isAsBefore || isMine) ? 'moved' : 'differs';
}
