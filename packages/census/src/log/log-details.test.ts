import { expect, it } from 'vitest';
import { formatRange } from './log-details.ts';

const sayDate = (date: string) => `day ${Number(date.slice(8))}`;

it.each([
  [{ from: '2026-11-17', to: '2026-11-20' }, 'day 17 to day 20'],
  [{ from: '2026-11-17', to: '2026-11-17' }, 'day 17'],
  [{ from: '2026-11-17' }, 'from day 17'],
  [{ to: '2026-11-20' }, 'up to day 20'],
  [{ from: 17, to: null }, ''],
])('CEN-7 the range %j of a log entry is said as far as its ends are given: %s', (range, text) => {
  expect(formatRange(range, sayDate)).toBe(text);
});
