import { type ExaminationEvent, transition, type VersionedState, type WantedTransition } from './transition.ts';

/** After these others do not go on before the server has answered: a report, its end, or who is asked to read it hang on them. */
const CLOSING: readonly ExaminationEvent[] = ['sign', 'amend', 'cancel', 'mark_in_error'];

/** Whether a move that waits ends what can be done with an examination on this device until it is sent. */
export function closesUntilSent(event: ExaminationEvent): boolean {
  return CLOSING.includes(event);
}

export interface Projection<Move> {
  readonly now: VersionedState;
  /** Those that it counts on: what is pressed next follows the last of them. */
  readonly counted: readonly Move[];
}

/**
 * How an examination will stand once its waiting moves are done, in their order, as far as one may go on from there: up to the first
 * that does not fit what it stands on, and up to one that closes it until it is sent. One that counts on an earlier version was done,
 * and its answer is still to come, or was overtaken.
 */
export function projectMoves<Move extends WantedTransition>(
  stored: VersionedState,
  moves: readonly Move[],
): Projection<Move> {
  let now = stored;
  const counted: Move[] = [];
  for (const move of moves) {
    if (closesUntilSent(move.event)) break;
    if (move.expectedVersion < now.version) continue;
    const change = transition(now, move);
    if (change.kind !== 'changed') break;
    now = change.next;
    counted.push(move);
  }
  return { now, counted };
}
