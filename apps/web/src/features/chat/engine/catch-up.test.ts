import type { Message } from '@wardline/contract/chat/chat.ts';
import { describe, expect, it } from 'vitest';
import { type CatchUpEffect, type CatchUpEvent, type MessagePage, NO_CATCH_UP, reduceCatchUp } from './catch-up.ts';

function message(seq: number): Message {
  const id = `00000000-0000-7000-8000-${String(seq).padStart(12, '0')}`;
  const sender = { id, name: 'Ana', title: null };
  const details = { id, chat_id: id, seq, client_id: id, sender, kind: 'text', body: `${seq}` } as const;
  return { ...details, reply_to: null, device_time: null, created_at: '2026-11-20T00:00:00Z' };
}

/** A catch-up that stands at 3; each fetch waits until the test answers it. */
function atThree() {
  const shown: number[] = [];
  const found = { withheld: 0, fetches: 0 };
  let state = NO_CATCH_UP;
  const dispatch = (event: CatchUpEvent): void => {
    const step = reduceCatchUp(state, event);
    state = step.state;
    for (const effect of step.effects) run(effect);
  };
  const run = (effect: CatchUpEffect): void => {
    // As the chat does: what was told and is fetched as well stands there once.
    if (effect.type === 'apply')
      shown.push(...effect.messages.map(({ seq }) => seq).filter((seq) => !shown.includes(seq)));
    if (effect.type === 'prepare') dispatch({ type: 'prepared' });
    if (effect.type === 'fetch') found.fetches += 1;
    if (effect.type === 'withheld') found.withheld += 1;
  };
  dispatch({ type: 'begin', cursor: 3 });
  const answer = (page: MessagePage): void => {
    expect(found.fetches).toBeGreaterThan(0);
    found.fetches -= 1;
    dispatch({ type: 'page', page, place: null });
  };
  return { dispatch, shown, found, answer };
}

describe('what is told while a fetch is under way is newer than its answer', () => {
  it('CHAT-4 the next message is shown, and nothing has failed', () => {
    const { dispatch, shown, found, answer } = atThree();
    dispatch({ type: 'ask', head: null });
    dispatch({ type: 'live', message: message(4) });
    answer({ data: [], head_seq: 3 });
    expect(shown).toEqual([4]);
    expect(found).toEqual({ withheld: 0, fetches: 0 });
  });

  it('CHAT-4 a later one makes it ask again, and nothing has failed', () => {
    const { dispatch, shown, found, answer } = atThree();
    dispatch({ type: 'ask', head: null });
    dispatch({ type: 'live', message: message(5) });
    answer({ data: [], head_seq: 3 });
    answer({ data: [message(4), message(5)], head_seq: 5 });
    expect(shown).toEqual([4, 5]);
    expect(found).toEqual({ withheld: 0, fetches: 0 });
  });

  it('CHAT-4 what the server does not give when asked for it is a failure, not an endless question', () => {
    const { dispatch, shown, found, answer } = atThree();
    dispatch({ type: 'live', message: message(5) });
    answer({ data: [], head_seq: 3 });
    expect(found).toEqual({ withheld: 1, fetches: 0 });
    expect(shown).toEqual([]);
  });
});
