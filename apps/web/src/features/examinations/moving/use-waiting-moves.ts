import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import { useObservable } from '@wardline/client/use-observable.ts';
import type { Entry, Examination, StoredEntry } from '@wardline/contract/examinations/examinations.ts';
import { toEntry } from '@wardline/examination/entry.ts';
import type { Subject } from '@wardline/examination/reference-range.ts';
import { closesUntilSent, projectMoves } from '@wardline/examination/waiting-moves.ts';
import { useEffect, useEffectEvent } from 'react';
import type { BeginPayload } from '#/features/examinations/beginning/begin-payload.ts';
import { useKeepExamination } from '#/features/examinations/core/use-examination.ts';
import { mergedEntries } from '#/features/examinations/entering/typed-values.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { useQueryClient } from '#/shared/queries/use-query.ts';
import { laneOf, moveOutbox } from './move-outbox.ts';
import type { MovePayload } from './move-payload.ts';

export type MoveItem = OutboxItem<MovePayload>;

/** The moves of examinations that this device keeps. */
export function useMoveOutbox() {
  return moveOutbox(useDevice(), useCall());
}

/** Those of one examination, in the order in which they were pressed: what waits, and what was refused. */
export function useMoveItems(examinationId: string) {
  const items = useObservable(useMoveOutbox().unsent).filter(({ lane }) => lane === laneOf(examinationId));
  return {
    waiting: items.filter(({ state }) => state !== 'failed'),
    refused: items.filter(({ state }) => state === 'failed'),
  };
}

export type BeginItem = OutboxItem<BeginPayload>;

/** The examinations of a chat that were begun here and are not on the server: what waits, and what was refused. */
export function useBeginnings(chatId: string): BeginItem[] {
  return useObservable(useMoveOutbox().beginnings).filter(({ payload }) => payload.seen.chat_id === chatId);
}

/** One of them; null for one that is on the server. */
export function useBeginning(examinationId: string): BeginItem | null {
  const items = useObservable(useMoveOutbox().beginnings);
  return items.find(({ clientId }) => clientId === examinationId) ?? null;
}

/** Once a move or a beginning has arrived, what it made is shown; of any examination where none is named. */
export function useDeliveredMoves(examinationId: string | null): void {
  const { delivered } = useMoveOutbox();
  const keep = useKeepExamination();
  const queries = useQueryClient();
  const take = useEffectEvent(() => {
    const arrived = delivered.get();
    if (!arrived || (examinationId !== null && arrived.id !== examinationId)) return;
    if (arrived.examination) keep(arrived.examination);
    else void queries.invalidateQueries({ queryKey: ['examination', arrived.id] });
  });
  useEffect(() => delivered.subscribe(() => take()), [delivered]);
}

/**
 * As it will stand once its waiting moves are done, with what went along, as far as one may go on from there; and the last press that this
 * counts on.
 */
export function projectExamination(examination: Examination, waiting: readonly MoveItem[], subject: Subject) {
  const { state, version, report_version: reportVersion } = examination;
  const moves = waiting.flatMap((item) => {
    const { event, expectedVersion, reason } = item.payload;
    return event === 'acknowledge' ? [] : [{ event, expectedVersion, reason, item }];
  });
  const { now, counted } = projectMoves({ state, version, reportVersion }, moves);
  const after = counted.at(-1)?.item.clientId ?? null;
  if (after === null) return { projected: examination, after };
  const entries = counted.reduce((before, { item }) => withGone(before, item, subject), examination.entries);
  return { projected: { ...examination, state: now.state, version: now.version, entries }, after };
}

/** What stands with what went along with a move; that it is one's own is all that is asked of it before it is sent. */
function withGone(before: readonly StoredEntry[], item: MoveItem, subject: Subject): StoredEntry[] {
  const { typed, expectedVersion } = item.payload;
  const mine = { by: { user_id: item.userId, name: 'You' }, at: item.writtenAt, version: expectedVersion + 1 };
  const gone = movedEntries(item, subject).filter(({ field }) => typed[field]);
  return [...before.filter(({ field }) => !typed[field]), ...gone.map((entry) => ({ ...entry, ...mine }))];
}

/** Nothing more is pressed until the server has answered this. */
export function isClosing({ payload: { event } }: MoveItem): boolean {
  return event === 'acknowledge' || closesUntilSent(event);
}

/** As it would stand with what a move takes along, each value with the flag that it will have. */
export function movedEntries({ payload: { seen, typed } }: MoveItem, subject: Subject): Entry[] {
  const { fields } = seen.template;
  const merged = mergedEntries(fields, typed, seen.entries);
  return fields.flatMap((field) => {
    const entry = merged.find((one) => one.field === field.code);
    return entry ? [toEntry(field, { ...entry, value: entry.value.trim() }, subject)] : [];
  });
}
