import { expect, it } from 'vitest';
import { formatUrgentEntry, type WrittenUrgentEntry } from './urgent-entry.ts';

const entry = (over: Partial<WrittenUrgentEntry>): WrittenUrgentEntry => ({
  ...{ kind: 'sent', by: { user_id: 'ana', name: 'Ana Reyes' }, called: ['Ben Cruz', 'Dr Okafor'], note: null },
  ...over,
});

it('URG-2 a line of the timeline says who did what, and whom it called', () => {
  const lines = [
    entry({}),
    entry({ kind: 'repeated', by: null, called: ['Ben Cruz'] }),
    entry({ kind: 'climbed', by: null, called: [] }),
    entry({ kind: 'acted', note: 'Gave 10 ml calcium gluconate.' }),
  ].map((each) => formatUrgentEntry(each));
  expect(lines).toEqual([
    'Ana Reyes sent it. Called: Ben Cruz and Dr Okafor',
    'Called again: Ben Cruz',
    'Called further: nobody there to call',
    'Ana Reyes closed it: Gave 10 ml calcium gluconate.',
  ]);
});

it('URG-2 a line is read by who did it as their own, and nothing is said of a kind that nobody knows', () => {
  expect(formatUrgentEntry(entry({ kind: 'accepted' }), 'ana')).toBe('You acknowledged it');
  expect(formatUrgentEntry(entry({ kind: 'accepted' }), 'ben')).toBe('Ana Reyes acknowledged it');
  expect(formatUrgentEntry(entry({ kind: 'sung' }))).toBeNull();
});

it('URG-2 CHAT-10 of a critical finding it says that it was read back', () => {
  expect(formatUrgentEntry(entry({ kind: 'accepted' }), 'ben', true)).toBe('Ana Reyes read it back, all agreed');
  expect(formatUrgentEntry(entry({ kind: 'resumed', by: null }), 'ben', true)).toBe(
    'Whoever had read it back is gone. Calling again',
  );
  expect(formatUrgentEntry(entry({ kind: 'resumed', by: null }))).toBe(
    'Whoever had acknowledged it is gone. Calling again',
  );
});
