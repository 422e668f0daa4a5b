import type { Message } from '@wardline/contract/chat.ts';
import { describe, expect, it } from 'vitest';
import { createCatchUp, type MessagePage } from './catch-up.ts';

function message(seq: number): Message {
  const id = `00000000-0000-7000-8000-${String(seq).padStart(12, '0')}`;
  const sender = { id, name: 'Ana', title: null };
  const facts = { id, chat_id: id, seq, client_id: id, sender, kind: 'text', body: `${seq}` } as const;
  return { ...facts, reply_to: null, device_time: null, created_at: '2026-11-20T00:00:00Z' };
}

/** A catch-up that stands at 3; each fetch waits until the test answers it. */
function atThree() {
  const answers: ((page: MessagePage) => void)[] = [];
  const shown: number[] = [];
  const failures: unknown[] = [];
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const catchUp = createCatchUp({
    log,
    fetchPage: () => new Promise((resolve) => answers.push(resolve)),
    apply: (messages) => {
      // As the thread does: what was told and is fetched as well stands there once.
      for (const { seq } of messages) if (!shown.includes(seq)) shown.push(seq);
    },
    placeToOpen: () => null,
    prepare: async () => undefined,
    onDone: () => undefined,
    onFailure: (error) => failures.push(error),
  });
  catchUp.begin(3);
  const answer = async (page: MessagePage) => {
    await expect.poll(() => answers).not.toHaveLength(0);
    answers.shift()?.(page);
  };
  return { catchUp, shown, failures, answer };
}

describe('what is told while a fetch is under way is newer than its answer', () => {
  it('CHAT-4 the next message is shown, and nothing has failed', async () => {
    const { catchUp, shown, failures, answer } = atThree();
    catchUp.ask(null);
    await Promise.resolve();
    catchUp.live(message(4));
    await answer({ data: [], head_seq: 3 });
    await expect.poll(() => shown).toEqual([4]);
    expect(failures).toEqual([]);
  });

  it('CHAT-4 a later one makes it ask again, and nothing has failed', async () => {
    const { catchUp, shown, failures, answer } = atThree();
    catchUp.ask(null);
    await Promise.resolve();
    catchUp.live(message(5));
    await answer({ data: [], head_seq: 3 });
    await answer({ data: [message(4), message(5)], head_seq: 5 });
    await expect.poll(() => shown).toEqual([4, 5]);
    expect(failures).toEqual([]);
  });

  it('CHAT-4 what the server does not give when asked for it is a failure, not an endless question', async () => {
    const { catchUp, shown, failures, answer } = atThree();
    catchUp.live(message(5));
    await answer({ data: [], head_seq: 3 });
    await expect.poll(() => failures).toHaveLength(1);
    expect(shown).toEqual([]);
  });
});
