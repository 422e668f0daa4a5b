import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Ticking, ticking } from '#/features/census/clock/testing/ticking.ts';
import {
  type CensusFixture,
  type FixtureUnit,
  openCensusFixture,
  type Person,
  type Place,
  read,
  setNow,
} from '#/features/census/reports/testing/census-fixture.ts';
import { type FeedFixture, openFeedFixture } from './testing/feed-fixture.ts';

const DATE = '2026-11-19';
/** The clock of the night after this date, past the hour at which it looks through what is stored. */
const nightAfter = (date: string) => `${date}T20:00:00Z`;

let ward: CensusFixture;
let place: Place;
let med: FixtureUnit;
let ana: Person;
let feed: FeedFixture;
let clock: Ticking;
beforeAll(async () => {
  setNow('2026-11-20T00:00:00Z');
  ward = await openCensusFixture();
});
afterAll(() => ward.close());
beforeEach(async () => {
  setNow('2026-11-20T00:00:00Z');
  place = await ward.elsewhere();
  med = await ward.unit('MED 3A', {}, place);
  ana = await ward.person(['chargeNurse'], [med], place);
  feed = await openFeedFixture(ward, place);
  clock = ticking(ward);
  await feed.tell('A01', { visit: 'OVER', unit: med, at: '202611190200' });
  await feed.tell('A03', { visit: 'OVER', unit: med, at: '202611191200' });
  // Of somebody never admitted: it is asked about.
  await feed.tell('A03', { visit: 'ASKED', unit: med, at: '202611191300' });
  await feed.tell('A01', { visit: 'STAYS', unit: med, at: '202611190300' });
});

async function tickAt(instant: string) {
  setNow(instant);
  await clock.at(instant);
}

async function keptRows(): Promise<Record<string, number>> {
  const { facilityNo } = place;
  const found = await sql<Record<string, number>>`
    select (select count(distinct visit_key)::int from adt_events where facility_no = ${facilityNo}) as events,
      (select count(distinct visit_key)::int from adt_movements where facility_no = ${facilityNo}) as movements,
      (select count(distinct visit_key)::int from adt_stays where facility_no = ${facilityNo}) as stays,
      (select count(*)::int from adt_unknown_stays where facility_no = ${facilityNo}) as questions,
      (select count(*)::int from adt_merges where facility_no = ${facilityNo}) as merges`.execute(ward.server.db);
  return found.rows[0] ?? {};
}

it('CEN-8 A31 a visit that is over is forgotten 30 days after its days are locked, one that lasts is kept', async () => {
  await tickAt(nightAfter('2027-01-01'));
  expect(await keptRows()).toEqual({ events: 3, movements: 2, stays: 2, questions: 1, merges: 0 });
  expect((await read(ana, { unit: med, date: DATE })).feed?.counts).toMatchObject({ admissions: 2, discharges: 1 });
  await tickAt(nightAfter('2027-01-03'));
  expect(await keptRows()).toEqual({ events: 1, movements: 1, stays: 1, questions: 0, merges: 0 });
  const audit = await sql<{ detail: { forgotten: number } }>`
    select detail from audit_entries where facility_id = ${place.facility.id} and action = 'census.clock.check'
    order by at desc limit 1`.execute(ward.server.db);
  expect(audit.rows[0]?.detail.forgotten).toBe(2);
});

it('CEN-8 of a date of which visits are forgotten the patient system says nothing, rather than too little', async () => {
  await tickAt(nightAfter('2027-01-03'));
  expect((await read(ana, { unit: med, date: DATE })).feed).toBeNull();
  expect((await read(ana, { unit: med, date: '2026-11-20' })).feed).toMatchObject({ closing: 1 });
  const elsewhere = await sql`
    select feed_forgotten_to from census_facilities where facility_no = ${ward.facilityNo}`.execute(ward.server.db);
  expect(elsewhere.rows).toEqual([{ feed_forgotten_to: null }]);
});
