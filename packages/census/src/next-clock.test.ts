import { expect, it } from 'vitest';
import { firstDateOfClock } from './next-clock.ts';

/** The 20th, counted at midnight in Manila. */
const fixed = { date: '2026-11-20', countedAt: Date.parse('2026-11-20T16:00:00Z') };

it.each([
  ['a later hour counts from the next date on', 'Asia/Manila', '07:00', '2026-11-21'],
  ['another grace alone counts from the next date on', 'Asia/Manila', '00:00', '2026-11-21'],
  [
    'a zone whose next count comes before the last one counts a date later',
    'Pacific/Kiritimati',
    '00:10',
    '2026-11-22',
  ],
])('CEN-3 3.3 %s', (_case, time_zone, census_time, from) => {
  expect(firstDateOfClock({ time_zone, census_time }, fixed)).toBe(from);
});

it('CEN-3 3.3 a date that the zone leaves out is no first date', () => {
  const before = { date: '2011-12-29', countedAt: Date.parse('2011-12-30T10:00:00Z') };
  expect(firstDateOfClock({ time_zone: 'Pacific/Apia', census_time: '00:00' }, before)).toBe('2011-12-31');
});
