import type { ReportsToApprove } from '@wardline/contract/census/unit.ts';
import { beforeEach, expect, it } from 'vitest';
import {
  act,
  type FixtureUnit,
  fixtureOfFile,
  openHospital,
  type Person,
  type Place,
  report,
} from '#/features/census/reports/testing/census-fixture.ts';

const [BEFORE, DATE] = ['2026-11-18', '2026-11-19'];

const ward = fixtureOfFile('2026-11-19T16:38:00Z');
let place: Place;
let med: FixtureUnit;
let icu: FixtureUnit;
let ana: Person;
let ruth: Person;
beforeEach(async () => {
  ({ place, med, icu, ana, ruth } = await openHospital(ward, { icu: {}, med: {} }));
  for (const unit of [icu, med]) for (const date of [BEFORE, DATE]) await report(ana, { unit, date }, { seed: 9 });
});

async function waiting(person: Person): Promise<[date: string, codes: string[]][]> {
  const response = await person.client.send('GET', '/api/census/to-approve');
  expect(response.statusCode, response.payload).toBe(200);
  const days: ReportsToApprove[] = response.json().data;
  expect(days.every(({ facility_id }) => facility_id === place.facility.id)).toBe(true);
  return days.map(({ census_date, reports }) => [census_date, reports.map(({ unit_code }) => unit_code)]);
}

const facility = () => ward.server.db.updateTable('census_facilities').where('facility_no', '=', place.facilityNo);

it('CEN-6 lists what was submitted by day, until it is approved or returned, for who approves', async () => {
  expect(await waiting(ruth)).toEqual([
    [BEFORE, ['ICU', 'MED 3A']],
    [DATE, ['ICU', 'MED 3A']],
  ]);
  await act(ruth, { unit: icu, date: BEFORE }, ['approve', { version: 1 }]);
  await act(ruth, { unit: med, date: BEFORE }, ['return', { version: 1, reason: 'Count again' }]);
  expect(await waiting(ruth)).toEqual([[DATE, ['ICU', 'MED 3A']]]);
  expect(await waiting(ana)).toEqual([]);
});

it('CEN-6 follows a permission that the facility has split off', async () => {
  await facility()
    .set({ split_permissions: ['census.approve'] })
    .execute();
  expect(await waiting(ruth)).toEqual([]);
});

it('CEN-6 CEN-R18 leaves out one’s own reports where four eyes are asked for, and only there', async () => {
  const sam = await ward.person(['chargeNurse', 'censusOfficer'], [med], place);
  await act(ruth, { unit: med, date: DATE }, ['return', { version: 1, reason: 'Count again' }]);
  await act(sam, { unit: med, date: DATE }, ['submit', { version: 2 }]);
  const eyes = (four_eyes: boolean) =>
    ward.server.db.updateTable('census_hours').set({ four_eyes }).where('facility_no', '=', place.facilityNo).execute();
  await eyes(true);
  expect((await waiting(sam)).at(-1)).toEqual([DATE, ['ICU']]);
  await eyes(false);
  expect((await waiting(sam)).at(-1)).toEqual([DATE, ['ICU', 'MED 3A']]);
});
