import type { BoardUnit } from '@wardline/contract/census/board.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
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

/** 08:00 on the 20th in Manila. */
const NOW = '2026-11-20T00:00:00Z';
const DATE = '2026-11-19';

let ward: CensusFixture;
let place: Place;
let med: FixtureUnit;
let ed: FixtureUnit;
let ana: Person;
let feed: FeedFixture;
beforeAll(async () => {
  setNow(NOW);
  ward = await openCensusFixture();
});
afterAll(() => ward.close());
beforeEach(async () => {
  setNow(NOW);
  place = await ward.elsewhere();
  med = await ward.unit('MED 3A', {}, place);
  ed = await ward.unit('ED', { staffed: 0 }, place);
  await sql`update census_units set counts_in_occupancy = false where unit_no = ${ed.no}`.execute(ward.server.db);
  ana = await ward.person(['chargeNurse'], [med, ed], place);
  feed = await openFeedFixture(ward, place);
});

const told = async (unit = med, date = DATE) => (await read(ana, { unit, date })).feed;
const onBoard = async (): Promise<BoardUnit[]> => {
  const response = await ana.client.send('GET', `/api/census/facilities/${place.facility.id}/board`);
  return response.json().units;
};
const overIn = async (code: string) => (await onBoard()).find(({ unit_code }) => unit_code === code)?.boarding_over;

it('CEN-8 a report has what the patient system says of its unit and date at the census hour; before it says anything, null', async () => {
  expect(await told()).toBeNull();
  await feed.tell('A01', { visit: 'V1', unit: ed, at: '202611190200' });
  await feed.tell('A02', { visit: 'V1', unit: med, at: '202611190300' });
  await feed.tell('A01', { visit: 'V2', unit: med, at: '202611190400' });
  await feed.tell('A03', { visit: 'V2', unit: med, at: '202611190900' });
  await feed.tell('A01', { visit: 'V3', unit: med, at: '202611190500' });
  await feed.tell('A21', { visit: 'V3', unit: med, at: '202611190600' });
  // After the census hour of Manila, 16:00 by this clock: of the next date.
  await feed.tell('A03', { visit: 'V1', unit: med, at: '202611191601' });
  expect(await told()).toEqual({
    counts: {
      admissions: 2,
      births: 0,
      transfers_in: 1,
      discharges: 1,
      deaths: 0,
      deaths_u48: 0,
      transfers_out: 0,
      ad_same_day: 1,
      on_leave: 1,
    },
    discharge_days: 1,
    opening: 0,
    closing: 2,
    beds_blocked: 0,
    transfers: [{ unit_id: ed.id, unit_code: 'ED', direction: 'in', count: 1 }],
  });
  expect(await told(ed)).toMatchObject({
    closing: 0,
    transfers: [{ unit_id: med.id, unit_code: 'MED 3A', direction: 'out', count: 1 }],
  });
  expect(await told(med, '2026-11-20')).toMatchObject({ counts: { discharges: 1 } });
});

it('F-N2 CEN-8 discharge days are those from the census date of the admission, in whichever unit, to that of the discharge', async () => {
  // By this clock the census hour of Manila is 16:00: V1 came on the 16th, V2 on the 19th.
  await feed.tell('A01', { visit: 'V1', unit: ed, at: '202611151601' });
  await feed.tell('A02', { visit: 'V1', unit: med, at: '202611170300' });
  await feed.tell('A01', { visit: 'V2', unit: med, at: '202611181601' });
  await feed.tell('A03', { visit: 'V2', unit: med, at: '202611191500' });
  await feed.tell('A03', { visit: 'V1', unit: med, at: '202611191559' });
  expect(await told()).toMatchObject({ counts: { discharges: 2, ad_same_day: 1 }, discharge_days: 3 + 1 });
  expect(await told(ed)).toMatchObject({ counts: { discharges: 0 }, discharge_days: 0 });
});

it('CEN-8 what is told of newborn is in their own report, and nothing of it in the other', async () => {
  const nur = await ward.unit('NUR', { populations: ['adult_and_child', 'newborn'] }, place);
  const nurse = await ward.person(['chargeNurse'], [nur], place);
  await feed.tell('A01', { visit: 'B1', unit: nur, at: '202611190200', kind: 'N' });
  const feedOf = async (population: 'adult_and_child' | 'newborn') =>
    (await read(nurse, { unit: nur, date: DATE, population })).feed;
  expect(await feedOf('newborn')).toMatchObject({ counts: { births: 1, admissions: 0 }, closing: 1 });
  expect(await feedOf('adult_and_child')).toMatchObject({ counts: { births: 0, admissions: 0 }, closing: 0 });
});

it('CEN-5 CEN-8 the board says who waits in a place without beds for as long as the facility calls boarding, or longer', async () => {
  expect([await overIn('ED'), await overIn('MED 3A')]).toEqual([null, null]);
  await feed.tell('A01', { visit: 'LONG', unit: ed, at: '202611192000' });
  await feed.tell('A01', { visit: 'SHORT', unit: ed, at: '202611192001' });
  await feed.tell('A01', { visit: 'BED', unit: med, at: '202611190200' });
  await feed.tell('A01', { visit: 'GONE', unit: ed, at: '202611191000' });
  await feed.tell('A02', { visit: 'GONE', unit: med, at: '202611191100' });
  expect([await overIn('ED'), await overIn('MED 3A')]).toEqual([1, null]);
  setNow('2026-11-20T00:01:00Z');
  expect(await overIn('ED')).toBe(2);
  await sql`update census_facilities set boarding_hours = 5 where facility_no = ${place.facilityNo}`.execute(
    ward.server.db,
  );
  expect(await overIn('ED')).toBe(0);
});

it('CEN-5 CEN-8 who came back from another unit has waited since then', async () => {
  await feed.tell('A01', { visit: 'BACK', unit: ed, at: '202611190200' });
  await feed.tell('A02', { visit: 'BACK', unit: med, at: '202611190300' });
  await feed.tell('A02', { visit: 'BACK', unit: ed, at: '202611192300' });
  expect(await overIn('ED')).toBe(0);
});
