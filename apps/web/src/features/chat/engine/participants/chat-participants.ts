import type { MarkersChanged, Participant } from '@wardline/contract/chat/chat.ts';
import { raiseParticipant } from './receipts.ts';

/** Who is in a chat and how far each has got. */
export interface ParticipantsState {
  readonly list: readonly Participant[];
  /** What the people were asked for last; empty: what is known may be behind, so the next chance to ask is taken. */
  readonly version: string;
}

export const NO_PARTICIPANTS: ParticipantsState = { list: [], version: '' };

/** What the server answered. Markers told while the answer was on its way stay: they only rise. */
export function mergeParticipants(
  { list, version }: ParticipantsState,
  found: readonly Participant[],
): ParticipantsState {
  const merged = found.map((person) => {
    const before = list.find(({ user_id }) => user_id === person.user_id);
    return before === undefined ? person : (raiseParticipant([person], before)[0] ?? person);
  });
  return { list: merged, version };
}

/** Somebody's markers rose; somebody unknown is asked for. */
export function raiseMarkersOf(participants: ParticipantsState, event: MarkersChanged): ParticipantsState {
  const isKnown = participants.list.some(({ user_id }) => user_id === event.user_id);
  return { list: raiseParticipant(participants.list, event), version: isKnown ? participants.version : '' };
}
