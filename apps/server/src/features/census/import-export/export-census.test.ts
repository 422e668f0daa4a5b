import { MEASURES, measuresOf } from '@wardline/census/measures.ts';
import { EXPORT_KINDS, MEASURE_COLUMNS } from '@wardline/contract/census/exchange.ts';
import type { CensusSummary } from '@wardline/contract/census/summary.ts';
import { sql } from 'kysely';
import readSheets from 'read-excel-file/node';
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
import { isNightly } from '#/testing/nightly.ts';

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

async function download(kind: string, rest: Readonly<Record<string, string>> = {}) {
  const query = new URLSearchParams({ facility: place.facility.id, from: DATE, to: DATE, ...rest });
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

interface MeasureLine extends Readonly<Record<string, string>> {}

async function measures(rest: Readonly<Record<string, string>> = {}): Promise<MeasureLine[]> {
  const { payload, statusCode } = await download('measures', rest);
  expect(statusCode, payload).toBe(200);
  const [head = '', ...lines] = payload.replace('\uFEFF', '').trim().split('\r\n');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(head.split(',').map((column, index) => [column, cells[index] ?? '']));
  });
}

async function summary(range: Readonly<Record<string, string>>): Promise<CensusSummary> {
  const path = `/api/census/facilities/${place.facility.id}/summary?${new URLSearchParams(range)}`;
  return (await officer.client.send('GET', path)).json();
}

const ownText = (value: number | null) => (value === null ? '' : String(value));

it('F-N18 each measure leaves with its numerator, denominator and completeness, as the summary shows it', async () => {
  const { total, units } = await summary({ from: DATE, to: DATE });
  const lines = await measures();
  const ofAdults = lines.filter((line) => line['unit_code'] === '' && line['population'] === 'adult_and_child');
  expect(ofAdults.map((line) => line['measure'])).toEqual(['bed_days', ...MEASURES]);
  for (const { name, value, numerator, denominator } of measuresOf(total.adult_and_child)) {
    expect(ofAdults.find((line) => line['measure'] === name)).toMatchObject({
      value: value ?? '',
      numerator: ownText(numerator),
      denominator: ownText(denominator),
      from: DATE,
      to: DATE,
    });
  }
  const occupancy = ofAdults.find((line) => line['measure'] === 'occupancy');
  expect(occupancy).toMatchObject({
    beds: 'staffed',
    reports_in: '2',
    reports_expected: '3',
    completeness_percent: '66.67',
  });
  expect(new Set(lines.map((line) => line['unit_code']))).toEqual(
    new Set(['', ...units.map((unit) => unit.unit_code)]),
  );
  // Nobody has reported it: not 0, but not known.
  const missing = lines.filter((line) => line['unit_code'] === 'NEW' && line['measure'] === 'occupancy');
  expect(missing).toMatchObject([{ value: '', numerator: '', reports_in: '0', completeness_percent: '0.00' }]);
  const inpatients = lines.find((line) => line['measure'] === 'inpatients');
  expect(inpatients).toMatchObject({ value: '26', population: 'all', unit_code: '' });
});

it.each([
  ['month', '2016-11-20'],
  ['day', '2025-11-20'],
] as const)('F-N18 by %s from %s on, each step is what its own summary says', async (by, from) => {
  const range = { from, to: '2026-11-19', by };
  const lines = await measures(range);
  const step = by === 'day' ? { from: DATE, to: DATE } : { from: '2026-11-01', to: '2026-11-19' };
  const { total } = await summary(step);
  const found = lines.filter(
    (line) => line['from'] === step.from && line['population'] === 'adult_and_child' && line['unit_code'] === '',
  );
  expect(found.map((line) => line['value'])).toEqual([
    String(total.adult_and_child.bed_days),
    ...measuresOf(total.adult_and_child).map(({ value }) => value ?? ''),
  ]);
  expect(lines.some((line) => line['unit_code'] !== '' && line['from'] === step.from)).toBe(by === 'month');
  // The first lines are of the whole range.
  expect(lines[0]).toMatchObject({ from: range.from, to: range.to, population: 'all' });
});

it('F-N18 the workbook of measures holds the same figures, as numbers', async () => {
  const [sheet] = await readSheets((await download('measures', { format: 'xlsx' })).rawPayload);
  const [head = [], ...rows] = sheet?.data ?? [];
  expect(head).toEqual([...MEASURE_COLUMNS]);
  const lines = await measures();
  expect(rows).toHaveLength(lines.length);
  for (const [index, line] of lines.entries()) {
    expect(String(rows[index]?.[head.indexOf('measure')])).toBe(line['measure']);
    const value = rows[index]?.[head.indexOf('value')];
    expect(value === null ? '' : Number(value)).toBe(line['value'] === '' ? '' : Number(line['value']));
  }
});

/** Reports day by day of ten years are work; a few months take the same way. */
const isOfDays = (kind: string) => kind.endsWith('measure-report') || kind.endsWith('-csv');

it('F-N18 every export reaches ten years, and no further', async () => {
  const tenYears = { from: '2016-11-20', to: '2026-11-19' };
  for (const kind of EXPORT_KINDS) {
    const isShort = isOfDays(kind) && !isNightly;
    const taken = await download(kind, isShort ? { ...tenYears, from: '2026-09-01' } : tenYears);
    expect(taken.statusCode, kind).toBe(200);
    const days = isShort ? 80 : 3652;
    if (kind.endsWith('measure-report')) expect(taken.json().entry).toHaveLength(days);
    if (kind.endsWith('-csv')) expect(taken.payload.trim().split('\r\n')).toHaveLength(days + 1);
    expect((await download(kind, { ...tenYears, from: '2016-01-01' })).statusCode, kind).toBe(422);
  }
  const [unitDay] = (await download('unit-days', tenYears)).payload.trim().split('\r\n').slice(1);
  expect(unitDay).toContain(`,${DATE},adult_and_child,`);
});
