import { addDays } from '@wardline/census/calendar.ts';
import type { UnitDayStatus } from '@wardline/contract/census/census.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeUnitDays } from '#/testing/factories/census.ts';
import {
  act,
  type CensusFixture,
  entry,
  type FixtureUnit,
  logOf,
  openCensusFixture,
  type Person,
  type Place,
  put,
  read,
  setNow,
} from './testing/census-fixture.ts';

/** A Saturday, and the Sunday morning on which it is handed in. */
const DATE = '2026-11-21';
const NOW = '2026-11-21T20:00:00Z';

let ward: CensusFixture;
let place: Place;
let med: FixtureUnit;
let ana: Person;
beforeAll(async () => {
  setNow(NOW);
  ward = await openCensusFixture();
});
afterAll(() => ward.close());
beforeEach(async () => {
  place = await ward.elsewhere();
  med = await ward.unit('MED 3A', {}, place);
  ana = await ward.person(['chargeNurse'], [med], place);
});

interface Past {
  readonly discharges?: number;
  readonly status?: UnitDayStatus;
}

/** Reports of earlier dates: nobody dies, four to six leave and as many come. */
async function past(dates: readonly string[], { discharges = 5, status = 'submitted' }: Past = {}): Promise<void> {
  const days = dates.map((date, index) => {
    const left = discharges + (index % 3) - 1;
    return { date, opening: 20, admissions: left, discharges: left, beds: 30, status };
  });
  await makeUnitDays(ward.server.db, { unitId: med.id, by: ana.id, days });
}
const saturdays = (weeks: number) => Array.from({ length: weeks }, (_, week) => addDays(DATE, -7 * (week + 1)));
const usual = async () => (await read(ana, { unit: med, date: DATE })).usual;
const handIn = (counts: object, more: object = {}) =>
  put(ana, { unit: med, date: DATE }, entry({ counted: 20, ...counts }, { submit: true, ...more }));

it('F-N15 a report comes with what the unit usually has on its weekday, from half a year of such days that were handed in', async () => {
  await past(saturdays(26));
  // Fridays, drafts and what lies further back say nothing of Saturdays.
  await past([...saturdays(20).map((date) => addDays(date, -1)), addDays(DATE, -7 * 27)], { discharges: 90 });
  expect(await usual()).toMatchObject({
    discharges: { least: 1, most: 9 },
    deaths: { least: 0, most: 1 },
    transfers_out: { least: 0, most: 1 },
  });
  const approver = await ward.person(['censusOfficer'], [], place);
  expect((await read(approver, { unit: med, date: DATE })).usual).toBeNull();
});

it('F-N15 with less history there is nothing usual, and drafts are no history', async () => {
  await past(saturdays(7));
  await past(saturdays(12).slice(7), { status: 'draft' });
  expect(await usual()).toMatchObject({ discharges: null, deaths: null });
});

it('F-N15 what was asked and confirmed is kept with the report and in the log, with what was usual', async () => {
  await past(saturdays(10));
  const done = await handIn({ deaths: 3, admissions: 3 }, { confirmed: ['deaths', 'admissions', 'discharges'] });
  expect(done.status).toBe(200);
  const confirmed = [
    { field: 'discharges', count: 0, least: 1, most: 9 },
    { field: 'deaths', count: 3, least: 0, most: 1 },
  ];
  expect((await read(ana, { unit: med, date: DATE })).confirmed).toEqual(confirmed);
  expect((await logOf(ward, place)).findLast(({ action }) => action === 'unit_day.submit')?.after).toMatchObject({
    confirmed: ['Discharges 0: usually 1 to 9 on Saturdays.', 'Deaths 3: usually 0 to 1 on Saturdays.'],
  });
  const { version } = await read(ana, { unit: med, date: DATE });
  await act(ana, { unit: med, date: DATE }, ['withdraw', { version }]);
  const again = await handIn({ admissions: 4, discharges: 4 }, { version: version + 1 });
  expect(again.day.confirmed).toEqual([]);
});

it('F-N15 it is never a wall: a device that did not ask hands in what is unusual all the same', async () => {
  await past(saturdays(10));
  const done = await handIn({ deaths: 3, admissions: 3 });
  expect([done.status, done.day.confirmed]).toEqual([200, []]);
});
