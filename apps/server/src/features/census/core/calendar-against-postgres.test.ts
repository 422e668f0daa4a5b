import { censusInstant, datesFrom, dayLength, existsIn } from '@wardline/census/calendar.ts';
import { DAY_LENGTHS, ZONES } from '@wardline/census/testing/fixtures.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase(2);
});
afterAll(() => database.close());

/** When each date of a zone begins, by walking through time in quarters of an hour and reading the wall clock. */
async function beginnings(zone: string, from: string, to: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ date: string; begins: Date }>`
    select (instant at time zone ${zone})::date as date, min(instant) as begins
    from generate_series(${`${from}T00:00:00Z`}::timestamptz - interval '2 days',
      ${`${to}T00:00:00Z`}::timestamptz + interval '3 days', interval '15 minutes') instant
    group by 1`.execute(database.db);
  return new Map(rows.map(({ date, begins }) => [date, begins.getTime()]));
}

describe('the calendar against the one of PostgreSQL', () => {
  it.each(ZONES)('R21 in %s every census date of ten years is counted when the next one begins', async (zone) => {
    const clock = { time_zone: zone, census_time: '00:00' };
    const begins = await beginnings(zone, '2020-01-01', '2030-01-01');
    const differing = datesFrom('2020-01-01', '2029-12-31').filter((date, index, dates) => {
      const next = dates[index + 1] ?? '2030-01-01';
      return begins.get(next) !== censusInstant(date, clock).getTime();
    });
    expect(differing).toEqual([]);
  });

  it.each(DAY_LENGTHS)('R21 in %s %s has %d hours', async (zone, date, hours) => {
    const begins = await beginnings(zone, date, date);
    const days = datesFrom(date, date).filter((day) => begins.has(day));
    expect(days).toEqual(existsIn(date, zone) ? [date] : []);
    const next = [...begins.values()].filter((instant) => instant > (begins.get(date) ?? Number.POSITIVE_INFINITY));
    const length = days.length === 0 ? 0 : (Math.min(...next) - (begins.get(date) ?? 0)) / 3_600_000;
    expect(length).toBe(hours);
    expect(dayLength(date, zone)).toBe(length);
  });
});
