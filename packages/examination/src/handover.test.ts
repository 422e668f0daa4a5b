import { HANDOVER_STATES, type HandoverState } from '@wardline/contract/examinations/handovers.ts';
import { describe, expect, it } from 'vitest';
import { type HandoverEvent, isPossible, mayTick, transition } from './handover.ts';

const EVENTS = ['receive', 'decline', 'withdraw', 'correct'] as const;

/** As it is meant, and not as the code says it. */
const ALLOWED: Readonly<Record<HandoverState, Partial<Record<HandoverEvent, HandoverState>>>> = {
  given: { receive: 'received', decline: 'declined', withdraw: 'withdrawn', correct: 'given' },
  received: { correct: 'given' },
  declined: { withdraw: 'withdrawn', correct: 'given' },
  withdrawn: {},
};
const pairs = HANDOVER_STATES.flatMap((state) => EVENTS.map((event) => [state, event] as const));

describe('a hand-over', () => {
  it.each(pairs)('HAND-1 CHAT-7 that is %s takes “%s” as it is meant', (state, event) => {
    const now = { state, version: 3, sheetVersion: 2 };
    const to = ALLOWED[state][event];
    const change = transition(now, { event, expectedVersion: 3, text: 'Sepsis, second litre is running.' });
    expect(isPossible(state, event)).toBe(to !== undefined);
    if (to === undefined) return expect(change).toEqual({ kind: 'impossible' });
    const sheetVersion = event === 'correct' ? 3 : 2;
    expect(change).toEqual({ kind: 'changed', next: { state: to, version: 4, sheetVersion } });
    expect(transition(now, { event, expectedVersion: 3, text: ' \n' })).toEqual({ kind: 'no_text' });
  });

  it('HAND-1 CHAT-7 that was changed meanwhile says so before anything else', () => {
    const now = { state: 'withdrawn', version: 3, sheetVersion: 1 } as const;
    expect(transition(now, { event: 'receive', expectedVersion: 2, text: '' })).toEqual({ kind: 'stale' });
    expect(transition(now, { event: 'correct', expectedVersion: 4, text: 'Late' })).toEqual({ kind: 'stale' });
  });

  it('HAND-1 has its actions ticked off once it is received, and not before', () => {
    expect(HANDOVER_STATES.filter(mayTick)).toEqual(['received']);
  });
});
