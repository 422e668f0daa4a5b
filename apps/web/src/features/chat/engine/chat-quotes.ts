import type { Message } from '@wardline/contract/chat/chat.ts';
import { CATCH_UP_PAGE, type MessagePage } from './catch-up.ts';
import { type ChatState, type ChatStep, type EventOf, only, type QuotesState } from './chat-state.ts';

export const isHeld = ({ messages }: ChatState, seq: number): boolean =>
  messages.some((message) => message.seq === seq);

/** A quote came into view whose message is not here: asked for once, by this person's own right to read it. */
export function loadQuote(state: ChatState, seq: number): ChatStep {
  const { run, quotes } = state;
  if (!state.isRunning || quotes.asked.has(seq) || isHeld(state, seq)) return only(state);
  const asked = new Set(quotes.asked).add(seq);
  const purpose = { type: 'quote', seq } as const;
  const place = { around: seq, limit: 1 };
  return only({ ...state, quotes: { ...quotes, asked } }, { type: 'fetch-page', run, purpose, place });
}

export function takeQuote(state: ChatState, seq: number, page: MessagePage): ChatStep {
  const message = page.data.find((one) => one.seq === seq) ?? null;
  const found = new Map(state.quotes.found).set(seq, message);
  return only({ ...state, quotes: { ...state.quotes, found } });
}

/** The next time that it comes into view it is asked for again. */
export function failQuote(state: ChatState, seq: number): ChatStep {
  const asked = new Set([...state.quotes.asked].filter((one) => one !== seq));
  return only({ ...state, quotes: { ...state.quotes, asked } });
}

/** The quotes after messages changed: a text that was deleted is gone from them too. */
export function changeQuotes(quotes: QuotesState, changed: readonly Message[]): QuotesState {
  const mine = changed.filter(({ seq }) => quotes.found.has(seq));
  return mine.length === 0
    ? quotes
    : { ...quotes, found: new Map([...quotes.found, ...mine.map((message) => [message.seq, message] as const)]) };
}

/** Somebody wants to be led to a message: those around it are fetched where it is not held, and refused where it is none of mine. */
export function showMessage(state: ChatState, { seq, requestId }: EventOf<'show'>): ChatStep {
  if (isHeld(state, seq)) return only(state, { type: 'answer', requestId });
  const purpose = { type: 'around', requestId, seq } as const;
  return only(state, {
    ...{ type: 'fetch-page', run: state.run, purpose },
    place: { around: seq, limit: CATCH_UP_PAGE / 2 },
  });
}
