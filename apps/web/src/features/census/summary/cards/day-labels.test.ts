import { expect, it } from 'vitest';
import { formatDue } from './day-labels.ts';

const hour = 3_600_000;

it('CEN-6 says how late a signature is in hours and minutes of the first day, then in days', () => {
  expect(formatDue(0, -2.3 * hour)).toBe('2 h 18 min left');
  expect(formatDue(0, 35 * 60_000)).toBe('35 min late');
  expect(formatDue(0, 496.45 * hour)).toBe('20 days late');
});
