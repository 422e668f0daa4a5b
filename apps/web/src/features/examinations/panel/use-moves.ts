import { isTemporary, statusOf } from '@wardline/client/http/api-error.ts';
import type { Examination, ExaminationState } from '@wardline/contract/examinations/examinations.ts';
import type { Subject } from '@wardline/examination/reference-range.ts';
import { type ExaminationEvent, isEditable } from '@wardline/examination/transition.ts';
import { useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { useKeepExamination } from '#/features/examinations/core/use-examination.ts';
import type { Decided } from '#/features/examinations/critical/critical-dialog.tsx';
import type { TypedValues } from '#/features/examinations/entering/typed-values.ts';
import type { ExaminationForm } from '#/features/examinations/entering/use-examination-form.ts';
import { laneOf } from '#/features/examinations/moving/move-outbox.ts';
import type { MovePayload } from '#/features/examinations/moving/move-payload.ts';
import { sendMove } from '#/features/examinations/moving/send-move.ts';
import { type MoveItem, projectExamination, useMoveOutbox } from '#/features/examinations/moving/use-waiting-moves.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { refusal } from '#/shared/errors/refusal.ts';
import { useQueryClient } from '#/shared/queries/use-query.ts';

type Unalerted = Pick<MovePayload, 'unalerted' | 'numbers'>;

export interface Moves {
  /** Moves it on, or keeps that until it can be sent; rejects with why it did not. */
  move(event: ExaminationEvent, reason?: string): Promise<void>;
  /** Signs what is stored and typed; rejects where it is refused, with the fields marked that are the reason. */
  sign(reason?: string, decided?: Decided): Promise<void>;
  acknowledge(): Promise<void>;
  /** What comes back of a move that did not arrive: the form has its values, the next reason begins with its reason. */
  take(item: MoveItem): void;
  /** Those that are being done anew. */
  readonly taken: readonly string[];
  readonly reason: string | undefined;
}

const TARGETS: Readonly<Record<ExaminationEvent, ExaminationState>> = {
  ...{ request: 'requested', start: 'in_progress', return: 'requested', sign: 'reported', amend: 'amended' },
  ...{ cancel: 'cancelled', mark_in_error: 'entered_in_error' },
};

const NONE: Unalerted = { unalerted: [], numbers: [] };

/**
 * What can be done with an examination as a whole, always at the version that is shown. What cannot be sent now is kept and sent once,
 * after what was pressed before it: the same press that was tried keeps its id, so that it is done once though its answer was lost.
 */
export function useMoves(stored: Examination, form: ExaminationForm, subject: Subject): Moves {
  const call = useCall();
  const { store } = useDevice();
  const { unsent, beginnings } = useMoveOutbox();
  const keep = useKeepExamination();
  const queries = useQueryClient();
  const [taken, setTaken] = useState<readonly MoveItem[]>([]);
  const queryKey = ['examination', stored.id];
  const lane = laneOf(stored.id);
  const waiting = () => unsent.get().filter((item) => item.lane === lane && item.state !== 'failed');
  /** What is pressed now waits for what is not sent yet, or it would overtake that. */
  const isNext = () => waiting().length === 0 && !beginnings.get().some(({ clientId }) => clientId === stored.id);
  const project = () => projectExamination(queries.getQueryData<Examination>(queryKey) ?? stored, waiting(), subject);
  const latest = () => project().projected;

  /** Who was overtaken sees how it stands now, and why nothing happened. */
  const told = async (error: unknown): Promise<never> => {
    form.refuse(error);
    if (statusOf(error) === 409) await queries.refetchQueries({ queryKey });
    throw error;
  };
  /** True where it was sent at once. */
  const press = async (payload: Omit<MovePayload, 'seen' | 'after'>): Promise<boolean> => {
    const clientId = uuidv7();
    const { projected: seen, after } = project();
    const pressed = { ...payload, seen, after };
    const isSent = navigator.onLine && isNext() && (await trySend(clientId, pressed));
    if (!isSent) await unsent.add({ clientId, lane, payload: pressed, writtenAt: new Date().toISOString() });
    // One that the device cannot forget stays, to be discarded by hand: what is pressed now is on its way all the same.
    await Promise.allSettled(taken.map(({ clientId: old }) => unsent.discard(old)));
    setTaken([]);
    return isSent;
  };
  /** False where it has to wait. */
  const trySend = async (clientId: string, payload: MovePayload): Promise<boolean> => {
    try {
      const moved = await sendMove(call, { clientId, payload }, { headers: { 'X-Wardline-User': store.userId } });
      if (moved) keep(moved);
      return true;
    } catch (error) {
      return isTemporary(error) ? false : told(error);
    }
  };
  /** What was typed goes with the move, where its state takes any. */
  const typedNow = (isSigning: boolean): TypedValues => {
    const { state } = latest();
    if (!isSigning && !isEditable(state)) return {};
    const blocked = form.blocked(isSigning);
    if (blocked !== null) throw refusal({ entries: blocked });
    return form.now();
  };
  const save = async () => {
    if (navigator.onLine && isNext()) await form.save();
  };
  return {
    async move(event, reason) {
      await save();
      const typed = typedNow(false);
      const { version: expectedVersion } = latest();
      const why = { reason: reason ?? null, critical: null };
      const isSent = await press({ ...NONE, ...why, event, to: TARGETS[event], expectedVersion, typed });
      form.leave(typed, isSent ? expectedVersion + 1 : null);
    },
    async sign(reason, decided) {
      await save();
      const typed = typedNow(true);
      const { report_version, version: expectedVersion } = latest();
      const event = report_version > 0 ? 'amend' : 'sign';
      const { critical, ...said } = decided ?? { ...NONE, critical: null };
      await press({ ...said, critical, reason: reason ?? null, event, to: TARGETS[event], expectedVersion, typed });
      form.discard();
    },
    async acknowledge() {
      const { report_version: expectedVersion } = latest();
      const rest = { reason: null, critical: null, typed: {}, to: null };
      await press({ ...NONE, ...rest, event: 'acknowledge', expectedVersion });
      if (!isNext()) return;
      await queries.refetchQueries({ queryKey });
      await queries.invalidateQueries({ queryKey: ['examinations', stored.chat_id] });
    },
    take(item) {
      form.restore(item.payload.typed);
      setTaken((now) => [...now, item]);
    },
    taken: taken.map(({ clientId }) => clientId),
    reason: taken.findLast(({ payload }) => payload.reason !== null)?.payload.reason ?? undefined,
  };
}
