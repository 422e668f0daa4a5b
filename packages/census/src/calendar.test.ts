import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { offsetMinutes } from '@wardline/format/zone.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  addDays,
  censusDateOf,
  censusInstant,
  dateIn,
  datesFrom,
  dayLength,
  daysBetween,
  existsIn,
  firstInstant,
  isCalendarDate,
  newestCensusDate,
  zonedInstant,
} from './calendar.ts';
import { DAY_LENGTHS, ZONES } from './testing/fixtures.ts';

const midnight = (time_zone: string) => ({ time_zone, census_time: '00:00' });
const wallOf = (instant: Date, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(instant);

describe('dates', () => {
  it('CEN-3 CEN-R15 2027-02-29 is none, and 2028-02-29 is', () => {
    const none = [
      '2027-02-29',
      '2026-02-30',
      '2026-13-01',
      '2026-00-10',
      '2026-1-1',
      '1899-12-31',
      '',
      '2026-04-31',
      '10000-01-01',
    ];
    expect(none.filter(isCalendarDate)).toEqual([]);
    expect(['2028-02-29', '1900-01-01', '9999-12-31'].every(isCalendarDate)).toBe(true);
  });

  it('CEN-3 are counted over months, years and leap days', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2027-02-28', 1)).toBe('2027-03-01');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
    expect(daysBetween('2026-01-01', '2027-01-01')).toBe(365);
    expect(daysBetween('2028-03-01', '2028-02-28')).toBe(-2);
    expect(datesFrom('2026-12-30', '2027-01-02')).toEqual(['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02']);
    expect(datesFrom('2026-12-30', '2026-12-29')).toEqual([]);
  });
});

it('CEN-8 an instant is written to the second on the zone’s clock, 25 characters', () => {
  expect(zonedInstant(new Date('2026-11-01T05:30:00Z'), 'America/New_York')).toBe('2026-11-01T01:30:00-04:00');
  expect(zonedInstant(new Date('2026-11-01T06:30:00Z'), 'America/New_York')).toBe('2026-11-01T01:30:00-05:00');
  expect(zonedInstant(new Date('2026-06-01T00:00:00Z'), 'UTC')).toBe('2026-06-01T00:00:00+00:00');
  expect(zonedInstant(new Date('2026-06-01T00:00:00Z'), 'Asia/Kathmandu')).toBe('2026-06-01T05:45:00+05:45');
});

it('CEN-3 an offset is ahead of UTC east of it, in whole minutes', () => {
  expect(offsetMinutes('Asia/Kathmandu', new Date('2026-06-01T00:00:00.999Z').getTime())).toBe(345);
  expect(offsetMinutes('America/New_York', new Date('2026-11-01T06:30:00Z').getTime())).toBe(-300);
  expect(offsetMinutes('UTC', new Date('2026-06-01T00:00:00Z').getTime())).toBe(0);
});

describe('the length of a day', () => {
  it.each(DAY_LENGTHS)('CEN-3 in %s %s has %d hours and starts at %s', (zone, date, hours, starts) => {
    expect(dayLength(date, zone)).toBe(hours);
    expect(existsIn(date, zone)).toBe(hours > 0);
    if (starts) expect(wallOf(firstInstant(date, '00:00', zone), zone)).toBe(starts);
  });

  it('CEN-3 CEN-R15 Apia had no 2011-12-30: the day before ends where the day after begins', () => {
    const clock = midnight('Pacific/Apia');
    expect(censusInstant('2011-12-29', clock)).toEqual(firstInstant('2011-12-31', '00:00', 'Pacific/Apia'));
    expect(censusInstant('2011-12-29', clock).toISOString()).toBe('2011-12-30T10:00:00.000Z');
    expect(newestCensusDate(censusInstant('2011-12-29', clock), clock)).toBe('2011-12-29');
    expect(newestCensusDate(censusInstant('2011-12-31', clock), clock)).toBe('2011-12-31');
    const morning = { time_zone: 'Pacific/Apia', census_time: '08:00' };
    const between = new Date(censusInstant('2011-12-29', morning).getTime() + 3_600_000);
    expect(censusDateOf(between, morning)).toBe('2011-12-31');
    expect(newestCensusDate(between, morning)).toBe('2011-12-29');
  });
});

describe('the census instant', () => {
  it('CEN-3 of midnight is the first instant of the next date, also where that date starts at 01:00', () => {
    expect(censusInstant('2026-11-19', midnight('Asia/Manila')).toISOString()).toBe('2026-11-19T16:00:00.000Z');
    expect(censusInstant('2026-09-05', midnight('America/Santiago')).toISOString()).toBe('2026-09-06T04:00:00.000Z');
    expect(wallOf(censusInstant('2026-09-05', midnight('America/Santiago')), 'America/Santiago')).toBe('01:00');
  });

  it('CEN-3 of any other hour lies within its date', () => {
    const clock = { time_zone: 'Europe/London', census_time: '07:30' };
    expect(censusInstant('2026-07-01', clock).toISOString()).toBe('2026-07-01T06:30:00.000Z');
    expect(censusDateOf(new Date('2026-07-01T06:29:59Z'), clock)).toBe('2026-07-01');
    expect(censusDateOf(new Date('2026-07-01T06:30:00Z'), clock)).toBe('2026-07-02');
    expect(newestCensusDate(new Date('2026-07-01T06:29:59Z'), clock)).toBe('2026-06-30');
  });

  it('CEN-3 of an hour that is skipped is the leap, of one that comes twice the first', () => {
    const clock = (census_time: string) => ({ time_zone: 'America/New_York', census_time });
    expect(censusInstant('2026-03-08', clock('02:30')).toISOString()).toBe('2026-03-08T07:00:00.000Z');
    expect(censusInstant('2026-11-01', clock('01:30')).toISOString()).toBe('2026-11-01T05:30:00.000Z');
    const again = new Date('2026-11-01T06:10:00Z');
    expect(dateIn('America/New_York', again)).toBe('2026-11-01');
    expect(censusDateOf(again, clock('01:30'))).toBe('2026-11-02');
  });

  it.each(ZONES)('R21 in %s ten years have each census date once, without a hole and without an overlap', (zone) => {
    const clock = midnight(zone);
    let before = censusInstant('2019-12-31', clock).getTime();
    let hoursBefore = 24;
    for (const [index, date] of datesFrom('2020-01-01', '2029-12-31').entries()) {
      const instant = censusInstant(date, clock).getTime();
      const hours = (instant - before) / 3_600_000;
      expect([23, 23.5, 24, 24.5, 25], `${date} in ${zone}`).toContain(hours);
      // Where clocks change, and on other days now and then: its last moment is its own, the next one is the next date's.
      if (hours !== 24 || hoursBefore !== 24 || index % 30 === 0) {
        expect(censusDateOf(new Date(instant - 1), clock)).toBe(date);
        expect(newestCensusDate(new Date(instant), clock)).toBe(date);
      }
      [before, hoursBefore] = [instant, hours];
    }
  });
});

describe('the zone of the machine', () => {
  const program = path.join(import.meta.dirname, 'testing/print-census-days.ts');
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  async function saidIn(TZ: string): Promise<{ offset: string | undefined; days: string[] }> {
    const options = { env: { ...process.env, TZ }, maxBuffer: 16 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', tsx, program], options);
    const [offset, ...days] = stdout.trimEnd().split('\n');
    return { offset, days };
  }

  let saidHere: string[] = [];
  beforeAll(() => {
    const instants = ZONES.flatMap((time_zone) =>
      datesFrom('2020-01-01', '2029-12-31').map(
        (date) => `${time_zone} ${date} ${censusInstant(date, midnight(time_zone)).toISOString()}`,
      ),
    );
    const lengths = DAY_LENGTHS.map(
      ([place, date, hours]) => `${place} ${date} ${hours} ${hours > 0 ? date : addDays(date, 1)}`,
    );
    saidHere = [...instants, ...lengths];
  });

  it.each([
    ['UTC', '0'],
    ['Asia/Manila', '-480'],
    ['America/New_York', '240'],
  ])('R21 does not matter: a server in %s says of every date of ten years what this one says', async (zone, offset) => {
    const said = await saidIn(zone);
    expect(said.offset).toBe(offset);
    expect(said.days).toEqual(saidHere);
  });
});
