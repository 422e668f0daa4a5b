import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type CensusFixture,
  type FixtureUnit,
  openCensusFixture,
  type Person,
  type Place,
  report,
  setNow,
} from '#/features/census/reports/testing/census-fixture.ts';

const DATE = '2026-11-18';
let ward: CensusFixture;
let place: Place;
let officer: Person;
let nurse: Person;
let med: FixtureUnit;
let icu: FixtureUnit;
let off: FixtureUnit;

beforeAll(async () => {
  ward = await openCensusFixture();
  setNow('2026-11-20T04:00:00Z');
  place = await ward.elsewhere();
  med = await makeUnit('MED', 'adult_med_surg');
  icu = await makeUnit('ICU', 'adult_icu');
  off = await makeUnit('OFF', 'adult_pcu');
  officer = await ward.person(['censusOfficer'], [], place);
  nurse = await ward.person(['chargeNurse'], [med, icu, off], place);
});
afterAll(() => ward.close());

async function makeUnit(code: string, group: string): Promise<FixtureUnit> {
  const unit = await ward.unit(code, {}, place);
  await sql`update census_units set safr_group = ${group} where unit_id = ${unit.id}`.execute(ward.server.db);
  return unit;
}

async function download(kind: string) {
  const query = new URLSearchParams({ facility: place.facility.id, from: DATE, to: DATE });
  return officer.client.send('GET', `/api/census/exports/${kind}?${query}`);
}

const handIn = (unit: FixtureUnit, counted: number) =>
  report(nurse, { unit, date: DATE }, { seed: counted, counts: { counted } });
const cellsOf = async (kind: string) => (await download(kind)).payload.split('\r\n')[1]?.split(',').slice(1);

async function safrCounts(codes: readonly string[]) {
  const { group } = (await download('safr-measure-report')).json();
  const found = new Map<string, number>(
    group.map((one: { code: { coding: [{ code: string }] }; population: [{ count: number }] }) => [
      one.code.coding[0].code,
      one.population[0].count,
    ]),
  );
  return codes.map((code) => found.get(code));
}

it('CEN-8 3.4 a unit that is missing keeps its day pending and its sums blank, whoever else reports', async () => {
  await handIn(med, 20);
  await handIn(off, 3);
  // What it reported while it counted is not in the facility's sums either, and stands in for nobody.
  await sql`update census_units set counts_in_census = false where unit_id = ${off.id}`.execute(ward.server.db);
  expect(await cellsOf('nhsn-csv')).toEqual([DATE, ...Array(12).fill('')]);
  expect((await cellsOf('saner-csv'))?.slice(3)).toEqual(['', '', '', '']);
  expect((await download('saner-measure-report')).json().status).toBe('pending');
  expect(await safrCounts(['112568-1', '112570-7', '112579-8'])).toEqual([20, undefined, undefined]);

  await handIn(icu, 6);
  expect((await cellsOf('nhsn-csv'))?.join()).toBe(`${DATE},56,56,,26,26,,28,28,,6,6,`);
  expect((await cellsOf('saner-csv'))?.slice(3)).toEqual(['56', '26', '28', '6']);
  expect((await download('saner-measure-report')).json().status).toBe('complete');
  expect(await safrCounts(['112579-8', '112578-0'])).toEqual([26, 30]);
});

it('CEN-8 3.4 a day that was whole by what was expected of it stays so, whichever unit is said to have been there since', async () => {
  await makeUnit('NEW', 'adult_med_surg');
  expect((await cellsOf('nhsn-csv'))?.join()).toBe(`${DATE},56,56,,26,26,,28,28,,6,6,`);
});

it('CEN-8 3.3 a day that had another clock than the last one of the range is told by its own', async () => {
  await sql`
    update facility_days set time_zone = 'America/New_York' where facility_no = ${place.facilityNo} and census_date = ${DATE}`.execute(
    ward.server.db,
  );
  expect((await download('saner-measure-report')).json().period).toEqual({
    start: '2026-11-18T00:00:00-05:00',
    end: '2026-11-18T23:59:59-05:00',
  });
  expect((await cellsOf('saner-csv'))?.slice(1, 3)).toEqual(['2026-11-18T00:00:00-05:00', '2026-11-18T23:59:59-05:00']);
});
