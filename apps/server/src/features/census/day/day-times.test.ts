import { describe, expect, it } from 'vitest';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import { locksAt, signOffDueAt } from './day-times.ts';

const place = (clock: Partial<FacilityConfig>) =>
  ({ census_time: '00:00', sign_off_time: '11:00', lock_after_days: 14, ...clock }) as FacilityConfig;

describe('the times of a day', () => {
  it.each([
    ['Asia/Manila', '00:00', '2026-11-19T16:00:00Z', '2026-11-20T03:00:00.000Z'],
    ['Asia/Manila', '07:00', '2026-11-18T23:00:00Z', '2026-11-19T03:00:00.000Z'],
    ['Asia/Manila', '15:00', '2026-11-19T07:00:00Z', '2026-11-20T03:00:00.000Z'],
    ['America/New_York', '00:00', '2026-11-01T04:00:00Z', '2026-11-01T16:00:00.000Z'],
    ['America/New_York', '00:00', '2026-03-08T05:00:00Z', '2026-03-08T15:00:00.000Z'],
  ])(
    'CEN-3 in %s, counted at %s, a day is to be signed by the next 11:00 on the wall',
    (time_zone, census_time, at, due) => {
      expect(signOffDueAt(place({ time_zone, census_time }), new Date(at)).toISOString()).toBe(due);
    },
  );

  it.each([
    ['Asia/Manila', '2026-11-19', '2026-12-03T16:00:00.000Z'],
    // The fourteen days have one of 25 hours.
    ['America/New_York', '2026-10-25', '2026-11-09T05:00:00.000Z'],
    ['America/New_York', '2026-03-01', '2026-03-16T04:00:00.000Z'],
  ])(
    'CEN-3 A48 in %s the day of %s locks at the census hour fourteen calendar days later',
    (time_zone, date, locks) => {
      expect(locksAt(place({ time_zone }), date).toISOString()).toBe(locks);
    },
  );
});
