import { expect, it } from 'vitest';
import { matchEntries, type PaletteEntry } from './palette-entries.ts';

const entry = (label: string, detail?: string, also?: string): PaletteEntry => ({
  id: label,
  label,
  detail,
  also,
  run: () => undefined,
});
const labels = (entries: readonly PaletteEntry[]) => entries.map(({ label }) => label);

it('SHELL-7 finds by every word, in label, detail and further words, without case and accents', () => {
  const entries = [entry('Zoë Müller', 'Staff nurse'), entry('Settings', undefined, 'password'), entry('Chats')];
  expect(labels(matchEntries(entries, 'nurse ZOE'))).toEqual(['Zoë Müller']);
  expect(labels(matchEntries(entries, 'password'))).toEqual(['Settings']);
  expect(labels(matchEntries(entries, 'zoe chats'))).toEqual([]);
});

it('SHELL-7 puts what begins with the search first, and keeps the order otherwise', () => {
  const entries = [entry('Unit census'), entry('Census'), entry('Old census'), entry('Census logs')];
  expect(labels(matchEntries(entries, 'cens'))).toEqual(['Census', 'Census logs', 'Unit census', 'Old census']);
});

it('SHELL-7 shows at most eight of a group', () => {
  expect(
    matchEntries(
      Array.from({ length: 40 }, (_, index) => entry(`Chat ${index}`)),
      'chat',
    ),
  ).toHaveLength(8);
});
