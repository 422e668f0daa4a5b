import { expect, it } from 'vitest';
import { formatLastSeen } from './format-last-seen.ts';

const now = Date.parse('2026-11-20T14:00:00Z');

it.each([
  ['2026-11-20T13:59:30Z', 'now'],
  // A device whose clock runs ahead.
  ['2026-11-20T14:05:00Z', 'now'],
  ['2026-11-20T13:56:00Z', '4 min ago'],
  ['2026-11-20T13:00:01Z', '59 min ago'],
  ['2026-11-20T09:12:00Z', 'today, 09:12'],
  ['2026-11-18T15:12:00Z', 'Wed 18 Nov, 15:12'],
  ['2025-11-18T15:12:00Z', 'Tue 18 Nov 2025, 15:12'],
])('ACC-5 a session last seen at %s was seen %s', (instant, text) => {
  expect(formatLastSeen(Date.parse(instant), now, { zone: 'UTC' })).toBe(text);
});
