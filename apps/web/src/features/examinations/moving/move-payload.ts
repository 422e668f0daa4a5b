import type { CriticalDecision } from '@wardline/contract/chat/critical.ts';
import type { Examination, ExaminationState } from '@wardline/contract/examinations/examinations.ts';
import type { ExaminationEvent } from '@wardline/examination/transition.ts';
import type { TypedValues } from '#/features/examinations/entering/typed-values.ts';

/** What was pressed of an examination, with all that it takes along. */
export interface MovePayload {
  /** As it was seen when it was pressed: shown where the network is away, and compared with what came meanwhile. */
  readonly seen: Examination;
  readonly event: ExaminationEvent | 'acknowledge';
  /** Null of an acknowledgement. */
  readonly to: ExaminationState | null;
  /** Of the examination; of an acknowledgement, that of the report. */
  readonly expectedVersion: number;
  /** The press before it that it counts on, by its client id. */
  readonly after: string | null;
  readonly reason: string | null;
  /** What was typed and is not stored; it goes with the move. */
  readonly typed: TypedValues;
  readonly critical: CriticalDecision | null;
  /** Critical, and nobody is alerted before this is sent: each in words. */
  readonly unalerted: readonly string[];
  /** Whom the signer can call meanwhile. */
  readonly numbers: readonly { readonly name: string; readonly phone: string }[];
}

/** What each move is called while it waits. */
export const MOVE_TITLES: Readonly<Record<MovePayload['event'], string>> = {
  ...{ request: 'Request', start: 'Start', return: 'Return of the request', sign: 'Signature' },
  ...{ amend: 'Amendment', cancel: 'Cancellation', mark_in_error: 'Mark as entered in error' },
  acknowledge: 'Acknowledgement',
};
