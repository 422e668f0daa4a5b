import type { Step } from '@wardline/client/engine.ts';
import type { Message } from '@wardline/contract/chat/chat.ts';

/** A page as the server takes and the contract allows it: the newest where no place is given. */
export interface PagePlace {
  readonly after?: number;
  readonly before?: number;
  readonly around?: number;
  readonly changed_after?: number;
  readonly limit: number;
}
export interface MessagePage {
  readonly data: readonly Message[];
  readonly head_seq: number;
  readonly head_change_seq?: number | undefined;
}

export const CATCH_UP_PAGE = 200;
/** Further behind than this, the newest page is shown and the hole before it is filled by scrolling back. */
export const FAR_BEHIND = 500;

/** What is being asked for; the first answer of a run is that everything needed beforehand is known. */
type CatchUpRequest =
  | { readonly type: 'prepare' }
  | { readonly type: 'after'; readonly from: number; readonly newestKnown: number }
  | { readonly type: 'newest' }
  | { readonly type: 'around'; readonly newest: MessagePage };

/**
 * Keeps one device's messages of a chat whole (CHAT-4). `cursor` is the seq up to which everything is here or in a hole that
 * is shown as one. Live messages are applied only as cursor + 1; all others wait while what lies between is fetched.
 */
export interface CatchUpState {
  readonly cursor: number | null;
  /** The chat is known to go up to this seq. */
  readonly target: number;
  readonly waiting: ReadonlyMap<number, Message>;
  /** There may be more, nobody said how far. */
  readonly isAsked: boolean;
  /** A fetch failed; the next one is somebody else's decision (RTA-6). */
  readonly isFailed: boolean;
  readonly request: CatchUpRequest | null;
}

export type CatchUpEvent =
  /** What the device's copy knows. */
  | { readonly type: 'begin'; readonly cursor: number }
  /** Fetch up to a head, or, when it is not known, whatever there is. */
  | { readonly type: 'ask'; readonly head: number | null }
  | { readonly type: 'prepared' }
  /** `place` is a seq around which another page belongs on the screen beside the newest, or null. */
  | { readonly type: 'page'; readonly page: MessagePage; readonly place: number | null }
  | { readonly type: 'fail' }
  | { readonly type: 'live'; readonly message: Message }
  /** My own message, acknowledged: shown at once at its place, even before those that lie between. */
  | { readonly type: 'acknowledged'; readonly message: Message };

export type CatchUpEffect =
  /** Before the first page of a run: what must be known first. */
  | { readonly type: 'prepare' }
  | { readonly type: 'fetch'; readonly place: PagePlace }
  /** Shows and keeps messages, with how far this device has got after them; null: not at all yet. */
  | { readonly type: 'apply'; readonly messages: readonly Message[]; readonly cursor: number | null }
  | { readonly type: 'done' }
  /** The server does not give what it has announced. */
  | { readonly type: 'withheld' };

type CatchUpStep = Step<CatchUpState, CatchUpEffect>;

export const NO_CATCH_UP: CatchUpState = {
  cursor: null,
  target: 0,
  waiting: new Map(),
  isAsked: false,
  isFailed: false,
  request: null,
};

/** The pure part of catching up. */
export function reduceCatchUp(state: CatchUpState, event: CatchUpEvent): CatchUpStep {
  switch (event.type) {
    case 'begin':
      return drain({ ...state, cursor: state.cursor ?? event.cursor });
    case 'ask':
      if (event.head === null || state.cursor === null) return start({ ...state, isAsked: true });
      return start({ ...state, target: Math.max(state.target, event.head) });
    case 'prepared':
      return state.request?.type === 'prepare' ? goOn(state) : { state, effects: [] };
    case 'page':
      return takePage(state, event);
    case 'fail':
      return { state: failed(state), effects: [] };
    case 'live':
      return live(state, event.message);
    case 'acknowledged': {
      const shown: CatchUpEffect = { type: 'apply', messages: [event.message], cursor: state.cursor };
      return after({ state, effects: [shown] }, (next) => live(next, event.message));
    }
  }
}

function after(step: CatchUpStep, next: (state: CatchUpState) => CatchUpStep): CatchUpStep {
  const { state, effects } = next(step.state);
  return { state, effects: [...step.effects, ...effects] };
}

function advance(state: CatchUpState, messages: readonly Message[], to: number): CatchUpStep {
  const cursor = Math.max(state.cursor ?? 0, to);
  return { state: { ...state, cursor }, effects: [{ type: 'apply', messages, cursor }] };
}

const newestWaiting = ({ waiting }: CatchUpState): number => Math.max(0, ...waiting.keys());

const isBehind = ({ isAsked, cursor, target }: CatchUpState): boolean => isAsked || cursor === null || target > cursor;

const failed = (state: CatchUpState): CatchUpState => ({ ...state, request: null, isFailed: true, isAsked: true });

/** Applies what waits and follows on; what waits beyond it says how far to fetch. */
function drain(state: CatchUpState): CatchUpStep {
  const { cursor, waiting } = state;
  if (cursor === null || waiting.size === 0) return { state, effects: [] };
  let reached = cursor;
  while (waiting.has(reached + 1)) reached += 1;
  const next = [...waiting.values()].filter(({ seq }) => seq <= reached).sort((a, b) => a.seq - b.seq);
  const rest = new Map([...waiting].filter(([seq]) => seq > reached));
  const target = Math.max(state.target, reached, ...rest.keys());
  const drained = { ...state, waiting: rest, target };
  return next.length > 0 ? advance(drained, next, reached) : { state: drained, effects: [] };
}

function start(state: CatchUpState): CatchUpStep {
  if (state.request !== null || !isBehind(state)) return { state, effects: [] };
  return { state: { ...state, request: { type: 'prepare' }, isFailed: false }, effects: [{ type: 'prepare' }] };
}

/** The next page of a run, or its end. */
function goOn(state: CatchUpState): CatchUpStep {
  if (!isBehind(state)) return { state: { ...state, request: null }, effects: [{ type: 'done' }] };
  const { cursor, target } = state;
  const asking = { ...state, isAsked: false };
  if (cursor === null || target - cursor > FAR_BEHIND) {
    const place = { limit: CATCH_UP_PAGE };
    return { state: { ...asking, request: { type: 'newest' } }, effects: [{ type: 'fetch', place }] };
  }
  const request = { type: 'after', from: cursor, newestKnown: newestWaiting(state) } as const;
  return {
    state: { ...asking, request },
    effects: [{ type: 'fetch', place: { after: cursor, limit: CATCH_UP_PAGE } }],
  };
}

function takePage(state: CatchUpState, { page, place }: CatchUpEvent & { type: 'page' }): CatchUpStep {
  const { request } = state;
  if (request?.type === 'after') return takeFollowing(state, request, page);
  if (request?.type === 'around') return takeNewest(state, request.newest, page.data);
  if (request?.type !== 'newest') return { state, effects: [] };
  if (place === null || page.data.some(({ seq }) => seq === place)) return takeNewest(state, page, []);
  const around: CatchUpEffect = { type: 'fetch', place: { around: place, limit: CATCH_UP_PAGE } };
  return { state: { ...state, request: { type: 'around', newest: page } }, effects: [around] };
}

function takeNewest(state: CatchUpState, newest: MessagePage, around: readonly Message[]): CatchUpStep {
  const last = newest.data.at(-1)?.seq ?? newest.head_seq;
  const applied = advance({ ...state, target: Math.max(state.target, last) }, [...around, ...newest.data], last);
  return after(after(applied, drain), goOn);
}

function takeFollowing(state: CatchUpState, request: CatchUpRequest & { type: 'after' }, page: MessagePage) {
  const { from, newestKnown } = request;
  const last = page.data.at(-1)?.seq ?? from;
  const applied = advance({ ...state, target: Math.max(state.target, page.head_seq) }, page.data, last);
  if (page.data.length > 0 && last > from) return after(after(applied, drain), goOn);
  return after(applied, (now) => {
    // Nothing lay beyond when it was asked. What was told since then is newer than that answer and worth asking again.
    const target = newestWaiting(now) > newestKnown ? newestWaiting(now) : last;
    // Otherwise, whatever was announced, asking on at once would never end.
    const isWithheld = target === last && now.waiting.size > 0 && !now.waiting.has(last + 1);
    if (isWithheld) return { state: failed({ ...now, target }), effects: [{ type: 'withheld' }] };
    return after(drain({ ...now, target }), goOn);
  });
}

function live(state: CatchUpState, message: Message): CatchUpStep {
  const { cursor, request } = state;
  if (cursor !== null && message.seq <= cursor)
    return { state, effects: [{ type: 'apply', messages: [message], cursor }] };
  const waiting = new Map(state.waiting).set(message.seq, message);
  const held = { ...state, waiting };
  if (request !== null) return { state: held, effects: [] };
  const drained = drain(held);
  return drained.state.cursor !== null && !drained.state.isFailed ? after(drained, start) : drained;
}
