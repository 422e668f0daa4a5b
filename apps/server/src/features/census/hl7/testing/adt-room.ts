import { addDays } from '@wardline/census/calendar.ts';
import { afterAll, beforeAll } from 'vitest';
import { jobAuthor } from '#/features/census/core/author.ts';
import { findFacilityPlace } from '#/features/census/core/config-queries.ts';
import type { Feed } from '#/features/census/hl7/feed.ts';
import { findFeedDay } from '#/features/census/hl7/feed-queries.ts';
import { receiveAdt } from '#/features/census/hl7/receive-adt.ts';
import { findDatedClocks, findUnitsByCode } from '#/features/census/hl7/receive-hl7.ts';
import type { Database } from '#/platform/db/database.ts';
import { makeFacility, makeUnit } from '#/testing/factories/facilities.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';

export let database: TestDatabase;

/** A database for patient systems to tell into. */
export function useAdtRoom(): void {
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.close());
}

export const UNITS = ['MED 3A', 'SUR 2B', 'ICU', 'PED', 'ONC', 'MAT'];

/** A facility with these units whose patient system counts, since before all that is told. */
export async function openFeed(units: readonly string[] = UNITS): Promise<Feed> {
  const { db } = database;
  const facility = await makeFacility(db, { timeZone: 'UTC' });
  await startFeed(db, facility.id);
  for (const code of units) await makeUnit(db, { facilityId: facility.id, name: code, code });
  const place = await findFacilityPlace(db, { facilityId: facility.id, date: '2026-01-01' });
  if (!place) throw new Error('there is no such facility');
  return {
    place,
    units: await findUnitsByCode(db, place.facility_no),
    clocks: await findDatedClocks(db, place.facility_no),
    secret: Buffer.alloc(32, 7),
    author: jobAuthor(null),
    now: new Date('2027-01-01T00:00:00Z'),
  };
}

export const receive = (feed: Feed, text: string) =>
  database.db.transaction().execute((tx) => receiveAdt(tx, feed, text));

/** Lets the patient system of a facility count, as if it had for long. */
export async function startFeed(db: Database, facilityId: string): Promise<void> {
  await db
    .updateTable('census_facilities')
    .set({ feed_live_from: '2020-01-01' })
    .where('facility_id', '=', facilityId)
    .execute();
}

/** What the patient system says of a unit's adults on a date. */
export async function countOf(feed: Feed, code: string, date: string) {
  const unitNo = feed.units.get(code.replaceAll(' ', ''));
  if (unitNo === undefined) throw new Error(`there is no unit ${code}`);
  const censusAt = new Date(`${addDays(date, 1)}T00:00:00Z`);
  const key = { facilityNo: feed.place.facility_no, unitNo, date, population: 'adult_and_child', censusAt } as const;
  const day = await findFeedDay(database.db, key);
  if (!day) return null;
  const { counts, ...rest } = day;
  return { ...counts, ...rest };
}

let sent = 0;
/** A message about one visit; each is another one. */
export function adt(trigger: string, event: { visit: string; unit?: string; at?: string; more?: string[] }): string {
  const { visit, unit = 'MED 3A', at = '20261119100000+0000', more = [] } = event;
  return [
    `MSH|^~\\&|ADT|H1|CENSUS|H1|${at}||ADT^${trigger}|C${++sent}|P|2.5.1`,
    `EVN|${trigger}|${at}||||${at}`,
    `PID|1||P${visit}`,
    ...more,
    `PV1|1|I|${unit}^201^1||||||||||||||||${visit}`,
  ].join('\r');
}
