import { transportError } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import { createSource, type Observable } from '@wardline/client/observable.ts';
import type { UnsentWork } from '@wardline/client/outbox/outbox.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { SharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import type { Examination } from '@wardline/contract/examinations/examinations.ts';
import type { BeginPayload } from '#/features/examinations/beginning/begin-payload.ts';
import { describeBeginning, describeRefusal, sendBeginning } from '#/features/examinations/beginning/send-beginning.ts';
import { sendTyped } from '#/features/examinations/entering/send-typed.ts';
import type { Device } from '#/shared/contexts/device-context.ts';
import { typedNames } from '#/shared/contexts/typed-names.ts';
import type { MovePayload } from './move-payload.ts';
import { describeFailure, describeMove, sendMove } from './send-move.ts';

export interface MoveOutbox {
  readonly unsent: UnsentWork<MovePayload>;
  /** Examinations that were begun here and are not on the server, each under its own id. */
  readonly beginnings: UnsentWork<BeginPayload>;
  /** The examination as the last of these that arrived left it; null for none, and after an acknowledgement. */
  readonly delivered: Observable<{ readonly id: string; readonly examination: Examination | null } | null>;
}

/** The kinds of what is done with examinations in the outbox. */
const MOVES = 'examination-move';
const BEGINNINGS = 'examination-begin';

/** What is done with one examination leaves in the order in which it was pressed. */
export const laneOf = typedNames.examination;

const known = new WeakMap<SharedOutbox, MoveOutbox>();

/** Registers how examinations that were begun, and moves of them, leave this device, whichever page is open. */
export function moveOutbox({ outbox, store }: Device, call: Call): MoveOutbox {
  const before = known.get(outbox);
  if (before) return before;
  const delivered = createSource<ReturnType<MoveOutbox['delivered']['get']>>(null);
  const isLast = ({ lane, clientId }: OutboxItem<unknown>) =>
    ![...beginnings.get(), ...unsent.get()].some((other) => other.lane === lane && other.clientId !== clientId);
  const beginnings: MoveOutbox['beginnings'] = outbox.of<BeginPayload, Examination>(BEGINNINGS, {
    async send(item, signal) {
      const request = requestOf(item, signal);
      const begun = await sendBeginning(call, item, request);
      return isLast(item) ? sendTyped({ call, store }, begun, request) : begun;
    },
    deliver(examination) {
      delivered.set({ id: examination.id, examination });
      return [];
    },
    describeFailure: describeRefusal,
    describe: ({ payload }) => describeBeginning(payload),
  });
  const unsent: MoveOutbox['unsent'] = outbox.of<MovePayload, Examination | null>(MOVES, {
    async send(item, signal) {
      const isBegun = !beginnings.get().some(({ clientId }) => clientId === item.payload.seen.id);
      // What was refused may still be begun; until then there is nothing to move.
      if (!isBegun) throw transportError('cancelled', 'Its examination is not begun yet.');
      const request = requestOf(item, signal);
      const moved = await sendMove(call, item, request);
      return moved && isLast(item) ? sendTyped({ call, store }, moved, request) : moved;
    },
    deliver(examination, item) {
      const id = examination?.id ?? item?.payload.seen.id;
      if (id !== undefined) delivered.set({ id, examination });
      return [];
    },
    describeFailure,
    describe: ({ payload }) => describeMove(payload),
  });
  const made = { unsent, beginnings, delivered };
  known.set(outbox, made);
  // What was kept before this code was there.
  outbox.flush();
  return made;
}

/** Where another person signed in meanwhile in this browser, a server that compares refuses (A34). */
function requestOf({ userId }: OutboxItem<unknown>, signal: AbortSignal) {
  return { headers: { 'X-Wardline-User': userId }, signal };
}
