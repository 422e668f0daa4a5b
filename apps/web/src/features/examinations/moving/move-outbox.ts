import type { Call } from '@wardline/client/http/call.ts';
import { createSource, type Observable } from '@wardline/client/observable.ts';
import type { UnsentWork } from '@wardline/client/outbox/outbox.ts';
import type { SharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import type { Examination } from '@wardline/contract/examinations/examinations.ts';
import type { MovePayload } from './move-payload.ts';
import { describeFailure, describeMove, sendMove } from './send-move.ts';

export interface MoveOutbox {
  readonly unsent: UnsentWork<MovePayload>;
  /** The examination as the last move that arrived left it; null for none, and after an acknowledgement. */
  readonly delivered: Observable<{ readonly id: string; readonly examination: Examination | null } | null>;
}

/** The kind of moves of examinations in the outbox. */
const MOVES = 'examination-move';

/** The moves of one examination leave in the order in which they were pressed. */
export const laneOf = (examinationId: string) => `examination/${examinationId}`;

const known = new WeakMap<SharedOutbox, MoveOutbox>();

/** Registers how moves of examinations leave this device, whichever page is open. */
export function moveOutbox(outbox: SharedOutbox, call: Call): MoveOutbox {
  const before = known.get(outbox);
  if (before) return before;
  const delivered = createSource<ReturnType<MoveOutbox['delivered']['get']>>(null);
  const unsent = outbox.of<MovePayload, Examination | null>(MOVES, {
    send: (item, signal) => sendMove(call, item, signal),
    deliver(examination, item) {
      const id = examination?.id ?? item?.payload.seen.id;
      if (id !== undefined) delivered.set({ id, examination });
      return [];
    },
    describeFailure,
    describe: ({ payload }) => describeMove(payload),
  });
  const made = { unsent, delivered };
  known.set(outbox, made);
  // What was kept before this code was there.
  outbox.flush();
  return made;
}
