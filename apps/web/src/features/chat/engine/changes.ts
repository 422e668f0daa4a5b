import type { Step } from '@wardline/client/engine.ts';
import type { Message } from '@wardline/contract/chat/chat.ts';
import { CATCH_UP_PAGE, type MessagePage, type PagePlace } from './catch-up.ts';
import { mergeMessages, newerOf } from './merge-messages.ts';

/**
 * Keeps the messages that a device holds as they stand (CHAT-11). The server counts a chat's changes without a gap, as it does
 * its messages; up to `cursor` each held message is as the server has it. A change is shown as soon as it is told: it is
 * the whole message, and the one with the higher count wins.
 */
export interface ChangesState {
  /** Null until something is held. */
  readonly cursor: number | null;
  /** The highest count that was told, since it was last asked for where that is under way. */
  readonly told: number;
  readonly isAsking: boolean;
  /** Changed messages that are not held: a page that was read before comes after them. */
  readonly unheld: ReadonlyMap<number, Message>;
}

export type ChangesEvent =
  | { readonly type: 'begin'; readonly cursor: number }
  /** The chat has had as many changes, which is heard of in many places. */
  | { readonly type: 'told'; readonly head: number }
  /** A changed message is here. */
  | { readonly type: 'changed'; readonly change: number }
  | { readonly type: 'page'; readonly page: MessagePage }
  | { readonly type: 'fail' };

export type ChangesEffect = { readonly type: 'fetch'; readonly place: PagePlace };

type ChangesStep = Step<ChangesState, ChangesEffect>;

export const NO_CHANGES: ChangesState = { cursor: null, told: 0, isAsking: false, unheld: new Map() };

/** The pure part of following the changes. */
export function reduceChanges(state: ChangesState, event: ChangesEvent): ChangesStep {
  switch (event.type) {
    case 'begin':
      return { state: { ...state, cursor: state.cursor ?? event.cursor }, effects: [] };
    case 'told':
      return ask(withTold(state, event.head));
    case 'changed': {
      const isNext = state.cursor !== null && event.change === state.cursor + 1;
      return ask(withTold(isNext ? { ...state, cursor: event.change } : state, event.change));
    }
    case 'page': {
      const { head_change_seq = 0, data } = event.page;
      const last = data.at(-1)?.change_seq ?? 0;
      // What changed after the count was read stands at the end of a page that is not full.
      const reached = data.length < CATCH_UP_PAGE ? Math.max(head_change_seq, last) : last;
      const cursor = Math.max(state.cursor ?? 0, reached);
      const next = { ...state, isAsking: false, cursor };
      return ask(cursor === state.cursor ? next : withTold(next, head_change_seq));
    }
    case 'fail':
      return { state: { ...state, isAsking: false }, effects: [] };
  }
}

const withTold = (state: ChangesState, head: number): ChangesState => ({
  ...state,
  told: Math.max(state.told, head),
});

/** Asks for what lies between; what is told while that is under way is asked for after it. */
function ask(state: ChangesState): ChangesStep {
  const { cursor, told, isAsking } = state;
  if (isAsking || cursor === null || told <= cursor) return { state, effects: [] };
  const place = { changed_after: cursor, limit: CATCH_UP_PAGE };
  // Only what is told from now on is a reason to ask again: a server that does not give what it told is not asked for ever.
  return { state: { ...state, told: 0, isAsking: true }, effects: [{ type: 'fetch', place }] };
}

/** Messages of which none is older than it was told to be. */
export function asKnown({ unheld }: ChangesState, page: readonly Message[]): readonly Message[] {
  return unheld.size === 0 ? page : page.map((message) => newerOf(message, unheld.get(message.seq)));
}

/** The held messages after changes: what is not held is remembered and not shown, it would stand beside a gap. */
export function applyChanges(
  { unheld }: ChangesState,
  held: readonly Message[],
  changed: readonly Message[],
): { readonly messages: readonly Message[]; readonly unheld: ReadonlyMap<number, Message> } {
  const seqs = new Set(held.map(({ seq }) => seq));
  const others = changed.filter(({ seq }) => !seqs.has(seq));
  const mine = changed.filter(({ seq }) => seqs.has(seq));
  const all = new Map(unheld);
  for (const message of others) all.set(message.seq, newerOf(message, all.get(message.seq)));
  return { messages: mine.length > 0 ? mergeMessages(held, mine) : held, unheld: others.length > 0 ? all : unheld };
}
