import type { Step } from '@wardline/client/engine.ts';
import type { Message } from '@wardline/contract/chat/chat.ts';
import type { MessagePage, PagePlace } from './catch-up.ts';
import { gaps } from './merge-messages.ts';

export const HISTORY_PAGE = 100;
const GAP_PAGE = 200;

/** Scrolling back: older messages and the holes between held ones. */
export interface HistoryState {
  /** Older messages under way: those before `first`, of which the device holds these. */
  readonly older: { readonly first: number; readonly here: readonly Message[] } | null;
  /** Ends of the gaps that are being filled. */
  readonly filling: readonly number[];
  /** Nothing lies before this seq for me, though it is not the first of the chat. */
  readonly floor: number;
}

export type HistoryEvent =
  | { readonly type: 'load-older'; readonly held: readonly Message[] }
  | { readonly type: 'older-read'; readonly messages: readonly Message[] }
  | { readonly type: 'older-page'; readonly page: MessagePage }
  | { readonly type: 'older-failed'; readonly isTemporary: boolean }
  | {
      readonly type: 'fill-gap';
      readonly beforeSeq: number;
      readonly held: readonly Message[];
      /** Where whoever opened the chat may go on reading from. */
      readonly fromSeq: number | null;
    }
  | { readonly type: 'gap-page'; readonly beforeSeq: number; readonly page: MessagePage }
  | { readonly type: 'gap-failed'; readonly beforeSeq: number };

export type HistoryEffect =
  /** Older messages that the device holds but does not show yet. */
  | { readonly type: 'read-older'; readonly before: number; readonly limit: number }
  | { readonly type: 'fetch-older'; readonly place: PagePlace }
  | { readonly type: 'fetch-gap'; readonly beforeSeq: number; readonly place: PagePlace }
  | { readonly type: 'apply'; readonly messages: readonly Message[]; readonly isFromServer: boolean }
  /** It did not come, and there is nothing to show in its place. */
  | { readonly type: 'missed' };

type HistoryStep = Step<HistoryState, HistoryEffect>;

export const NO_HISTORY: HistoryState = { older: null, filling: [], floor: 1 };

export function hasOlder({ floor }: HistoryState, held: readonly Message[]): boolean {
  return (held[0]?.seq ?? 1) > floor;
}

/** The pure part of scrolling back. */
export function reduceHistory(state: HistoryState, event: HistoryEvent): HistoryStep {
  switch (event.type) {
    case 'load-older': {
      const first = event.held[0]?.seq;
      if (state.older !== null || first === undefined || first <= state.floor) return { state, effects: [] };
      const older = { first, here: [] };
      return { state: { ...state, older }, effects: [{ type: 'read-older', before: first, limit: HISTORY_PAGE }] };
    }
    case 'older-read':
      return takeRead(state, event.messages);
    case 'older-page': {
      const { older } = state;
      const floor = older !== null && event.page.data.length === 0 ? older.first : state.floor;
      const apply = { type: 'apply', messages: event.page.data, isFromServer: true } as const;
      return { state: { ...state, older: null, floor }, effects: [apply] };
    }
    case 'older-failed': {
      const here = state.older?.here ?? [];
      // Without a network what the device holds is shown, with the hole before it.
      const isShown = here.length > 0 && event.isTemporary;
      const effect: HistoryEffect = isShown
        ? { type: 'apply', messages: here, isFromServer: false }
        : { type: 'missed' };
      return { state: { ...state, older: null }, effects: [effect] };
    }
    case 'fill-gap':
      return fillGap(state, event);
    case 'gap-page':
      return {
        state: withoutFilling(state, event.beforeSeq),
        effects: [{ type: 'apply', messages: event.page.data, isFromServer: true }],
      };
    case 'gap-failed':
      return { state: withoutFilling(state, event.beforeSeq), effects: [{ type: 'missed' }] };
  }
}

function takeRead(state: HistoryState, here: readonly Message[]): HistoryStep {
  if (state.older === null) return { state, effects: [] };
  const { first } = state.older;
  if (here.at(-1)?.seq === first - 1)
    return { state: { ...state, older: null }, effects: [{ type: 'apply', messages: here, isFromServer: false }] };
  const place = { before: first, limit: HISTORY_PAGE };
  return { state: { ...state, older: { first, here } }, effects: [{ type: 'fetch-older', place }] };
}

function fillGap(state: HistoryState, event: HistoryEvent & { type: 'fill-gap' }): HistoryStep {
  const { beforeSeq, held, fromSeq } = event;
  const gap = gaps(held).find((hole) => hole.beforeSeq === beforeSeq);
  if (gap === undefined || state.filling.includes(beforeSeq)) return { state, effects: [] };
  // Whoever reads on from where the chat was opened comes from above; whoever scrolls back comes from below.
  const isFromAbove = fromSeq !== null && fromSeq <= gap.afterSeq;
  const place = isFromAbove ? { after: gap.afterSeq, limit: GAP_PAGE } : { before: beforeSeq, limit: GAP_PAGE };
  return {
    state: { ...state, filling: [...state.filling, beforeSeq] },
    effects: [{ type: 'fetch-gap', beforeSeq, place }],
  };
}

const withoutFilling = (state: HistoryState, beforeSeq: number): HistoryState => ({
  ...state,
  filling: state.filling.filter((seq) => seq !== beforeSeq),
});
