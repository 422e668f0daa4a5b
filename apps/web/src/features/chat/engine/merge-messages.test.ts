import type { Message } from '@wardline/contract/chat/chat.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contiguousTail, gaps, mergeMessages } from './merge-messages.ts';

const message = (seq: number) => ({ seq, id: `m${seq}` }) as Message;
const seqs = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 40 });
const seqsOf = (messages: readonly Message[]) => messages.map(({ seq }) => seq);

it('CHAT-2 merging is sorted, unique, idempotent and free of order', () => {
  fc.assert(
    fc.property(fc.array(seqs, { maxLength: 6 }), fc.infiniteStream(fc.nat()), (pages, picks) => {
      const once = pages.reduce((held: readonly Message[], page) => mergeMessages(held, page.map(message)), []);
      const shuffled = pages.toSorted(() => (Number(picks.next().value) % 2 === 0 ? 1 : -1));
      const twice = [...shuffled, ...pages].reduce(
        (held: readonly Message[], page) => mergeMessages(held, page.map(message)),
        [],
      );
      expect(seqsOf(once)).toEqual([...new Set(pages.flat())].sort((a, b) => a - b));
      expect(twice).toEqual(once);
    }),
  );
});

it('CHAT-4 gaps are exactly the holes, and the tail has none', () => {
  fc.assert(
    fc.property(seqs, (held) => {
      const messages = mergeMessages([], held.map(message));
      const missing = gaps(messages).flatMap(({ afterSeq, beforeSeq }) =>
        Array.from({ length: beforeSeq - afterSeq - 1 }, (_, index) => afterSeq + 1 + index),
      );
      const all = [...held, ...missing].sort((a, b) => a - b);
      const first = all[0] ?? 1;
      expect(all).toEqual(Array.from({ length: all.length }, (_, index) => first + index));
      expect(gaps(contiguousTail(messages))).toEqual([]);
      expect(contiguousTail(messages).at(-1)).toBe(messages.at(-1));
    }),
  );
});
