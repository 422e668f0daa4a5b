import { expect, it } from 'vitest';
import { formatClock } from './format-clock.ts';

const now = Date.parse('2026-11-20T01:00:00Z');

it('says the time alone on the same day of the zone, else the day before it', () => {
  expect(formatClock('Asia/Manila', Date.parse('2026-11-19T23:02:00Z'), now)).toBe('07:02');
  expect(formatClock('UTC', Date.parse('2026-11-19T23:02:00Z'), now)).toBe('Thu 19 Nov, 23:02');
});
