import { addDays, censusDateOf } from '@wardline/census/calendar.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DatedClock, eventDate } from './event-date.ts';

const clock = (from_date: string, census_time: string, time_zone = 'Asia/Manila'): DatedClock => ({
  from_date,
  census_time,
  time_zone,
});
const midnight = clock('1900-01-01', '00:00');
const morning = clock('1900-01-01', '07:00');
const at = (local: string) => new Date(`${local}:00+08:00`);

it.each([
  ['long before the new hour', '2026-11-10T08:00', '2026-11-10'],
  ['on the last evening of the old one', '2026-11-30T23:59', '2026-11-30'],
  ['on the first night of the new one', '2026-12-01T03:00', '2026-12-01'],
  ['after its first count', '2026-12-01T07:00', '2026-12-02'],
])('CEN-3 CEN-8 3.3 what happened %s stays on the date that the clock of the time gave it', (_, local, date) => {
  expect(eventDate(at(local), [clock('2026-12-01', '07:00'), midnight])).toBe(date);
});

it('CEN-3 CEN-8 3.3 a count at an earlier hour, or in another zone, takes nothing from the dates before it', () => {
  const clocks = [clock('2026-12-01', '00:00'), morning];
  expect(eventDate(at('2026-11-10T08:00'), clocks)).toBe('2026-11-11');
  expect(eventDate(at('2026-11-30T06:59'), clocks)).toBe('2026-11-30');
  expect(eventDate(at('2026-11-30T07:00'), clocks)).toBe('2026-12-01');
  const moved = [clock('2026-12-01', '00:00', 'America/New_York'), midnight];
  expect(eventDate(at('2026-11-30T23:59'), moved)).toBe('2026-11-30');
  expect(eventDate(at('2026-12-02T12:00'), moved)).toBe('2026-12-01');
});

it('CEN-8 what is said to have happened before any census belongs to the first date of one', () => {
  expect(eventDate(new Date('1000-06-01T08:00:00Z'), [clock('2026-12-01', '07:00'), midnight])).toBe('1900-01-01');
});

it('CEN-8 with one clock it is the date of that clock', () => {
  const zones = fc.constantFrom(
    'UTC',
    'Asia/Manila',
    'America/New_York',
    'Pacific/Apia',
    'Pacific/Kiritimati',
    'Africa/Cairo',
  );
  const hours = fc.constantFrom('00:00', '00:30', '07:00', '23:59');
  const instants = fc.date({ min: new Date('2011-12-01'), max: new Date('2027-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(zones, hours, instants, (zone, hour, instant) => {
      const one = clock('1900-01-01', hour, zone);
      const late = clock(addDays('2027-12-31', 9), hour, zone);
      expect(eventDate(instant, [one])).toBe(censusDateOf(instant, one));
      expect(eventDate(instant, [late, one])).toBe(censusDateOf(instant, one));
    }),
  );
});
