import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lockHead } from '#/features/census/core/append-log.ts';
import { actOnDay, approveAll, dayUrl, getDay } from '#/features/census/day/testing/days.ts';
import {
  type CensusFixture,
  entry,
  logOf,
  openCensusFixture,
  type Person,
  type Place,
  put,
  read,
  setNow,
} from '#/features/census/reports/testing/census-fixture.ts';
import { whatIsBroken } from '#/features/census/testing/what-is-broken.ts';
import { hangUpWhileHeld } from '#/testing/counterparts/hang-up.ts';
import { multipart } from '#/testing/multipart.ts';
import { limitMs, runs } from '#/testing/nightly.ts';

let ward: CensusFixture;
let officer: Person;

beforeAll(async () => {
  ward = await openCensusFixture();
  setNow('2026-11-20T04:00:00Z');
  const units = [
    await ward.unit('MED'),
    await ward.unit('SUR', { staffed: 0 }),
    await ward.unit('NUR', { populations: ['newborn', 'adult_and_child'] }),
    await ward.unit('OLD', { active: '[2020-01-01,2026-11-18)' }),
  ];
  officer = await ward.person(['censusOfficer'], units);
});
afterAll(() => ward.close());

/** Most cells are fit: of what is all odd nothing would ever be taken. */
const mostly = (fit: readonly string[], odd: readonly string[]) =>
  fc.oneof({ weight: 40, arbitrary: fc.constantFrom(...fit) }, fc.constantFrom(...odd));
const COUNT = mostly(['', '', '0', '0', '1'], ['5', '9999', '32768', '-1', '1,234']);
const PARTNERS = mostly(['', '', 'MED:1'], ['SUR:1 SUR:2', 'MED:0', 'NOBODY:1', 'SUR:9999 NUR:9999', 'OLD:1']);
const LABELS = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom('', 'late', '"=1+1, ""so"""') },
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => `"${text.replaceAll('"', '')}"`),
);
const COLUMNS = {
  facility_code: mostly(['', 'SH'], ['XX']),
  unit_code: mostly(['MED', 'SUR', 'NUR'], ['OLD', 'NOBODY', '']),
  census_date: mostly(['2026-11-18', '2026-11-19'], ['2026-11-20', '2026-11-30', '1900-01-01', '9999-12-31', '46345']),
  population: mostly(['adult_and_child', ''], ['newborn']),
  opening: mostly(['', '24'], ['5']),
  admissions: COUNT,
  births: mostly(['', '0'], ['3']),
  transfers_in: mostly(['', '0'], ['1']),
  discharges: COUNT,
  deaths: COUNT,
  deaths_u48: mostly(['', '0'], ['1']),
  transfers_out: mostly(['', '0'], ['1']),
  ad_same_day: mostly(['', '0'], ['1']),
  on_leave: COUNT,
  observation: COUNT,
  counted: mostly(['', '24'], ['23']),
  closing: mostly([''], ['24']),
  beds_staffed: COUNT,
  beds_blocked: mostly(['', '0'], ['1', '9999']),
  transfers_from: PARTNERS,
  transfers_to: PARTNERS,
  variance_reason: LABELS,
  note: LABELS,
  discharge_days: mostly(['', ''], ['5']),
  status: mostly([''], ['locked']),
  estimate: mostly([''], ['7']),
};
type Row = Readonly<Record<keyof typeof COLUMNS, string>>;
const toFile = (rows: readonly Row[]) =>
  [Object.keys(COLUMNS).join(), ...rows.map((row) => Object.values(row).map(quoted).join())].join('\n');
const FILE = fc.array(fc.record(COLUMNS), { minLength: 1, maxLength: 4 }).map(toFile);
/** Is taken whatever is drawn beside it. */
const FIT = toFile([
  {
    ...(Object.fromEntries(Object.keys(COLUMNS).map((column) => [column, ''])) as Row),
    ...{ unit_code: 'MED', census_date: '2026-11-18', population: 'adult_and_child' },
    ...{ admissions: '0', discharges: '0', deaths: '0', beds_staffed: '1' },
  },
]);

function quoted(cell: string): string {
  return cell.includes(',') && !cell.startsWith('"') ? `"${cell}"` : cell;
}

/** All that an import could write. */
async function stored() {
  const { facilityNo, server } = ward;
  const found = await sql<{ reports: string; transfers: string; log: string }>`
    select (select coalesce(json_agg(c order by unit_no, census_date, population), '[]')::text from unit_census c
        where facility_no = ${facilityNo}) as reports,
      (select coalesce(json_agg(t order by from_unit, to_unit, census_date, population), '[]')::text from unit_transfers t
        where facility_no = ${facilityNo}) as transfers,
      (select count(*)::text from census_log where facility_no = ${facilityNo} and action <> 'log.view') as log`.execute(
    server.db,
  );
  return found.rows[0];
}

async function upload(content: string, isApplying: boolean, { facility }: Place = ward, person = officer) {
  const form = multipart([{ name: 'file', value: content, filename: 'census.csv', type: 'text/csv' }]);
  const query = `facility=${facility.id}&apply=${isApplying}`;
  const response = await person.client.send('POST', `/api/census/imports?${query}`, form);
  return { status: response.statusCode, ...response.json() };
}

it(
  'CEN-8 whatever is imported, a trial says what applying does, and a file goes in whole or leaves no trace',
  async () => {
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(FILE, async (content) => {
        const before = await stored();
        const tried = await upload(content, false);
        expect([200, 422]).toContain(tried.status);
        expect(await stored()).toEqual(before);
        const done = await upload(content, true);
        expect({ ...done, is_applied: false }).toEqual({ ...tried, is_applied: false });
        const isTaken = done.status === 200 && done.counts.refused === 0;
        expect(done.is_applied ?? false).toBe(isTaken);
        if (!isTaken) expect(await stored()).toEqual(before);
        else applied += 1;
      }),
      { numRuns: runs(20), examples: [[FIT]] },
    );
    expect(applied).toBeGreaterThan(0);
  },
  limitMs(240_000),
);

it('CEN-7 CEN-8 the sums of all that a file brings in are right, whatever the order of its lines', async () => {
  const place = await ward.elsewhere();
  const units = [await ward.unit('MED', {}, place), await ward.unit('SUR', {}, place)];
  const ruth = await ward.person(['censusOfficer'], units, place);
  const linesOf = (dates: readonly string[]) =>
    dates.flatMap((date) => ['MED', 'SUR'].map((code) => `${code},${date},20,1,1,0,0,0,0,0,0,0,20`));
  const head =
    'unit_code,census_date,opening,admissions,discharges,transfers_in,deaths,deaths_u48,transfers_out,ad_same_day,on_leave,observation,counted';
  const content = [head, ...linesOf(['2026-11-19', '2026-10-31', '2026-11-01', '2026-11-18', '2026-09-30'])].join('\n');
  expect(await upload(content, true, place, ruth)).toMatchObject({ is_applied: true, counts: { new: 10 } });
  const days = ward.server.db.selectFrom('facility_days').select('census_days');
  const sums = await days.where('facility_no', '=', place.facilityNo).execute();
  expect(sums.map(({ census_days }) => census_days)).toEqual([40, 40, 40, 40, 40]);
  expect(await whatIsBroken(ward.server.db, place.facilityNo)).toEqual([]);
});

it('F-C4 UI-2 an import whose sender has hung up is given up and leaves no trace', async () => {
  const { server, facility, facilityNo } = ward;
  const before = await stored();
  const content = 'unit_code,census_date,admissions\nMED,2026-11-19,3';
  const form = multipart([{ name: 'file', value: content, filename: 'census.csv', type: 'text/csv' }]);
  const path = `/api/census/imports?facility=${facility.id}&apply=true`;
  await hangUpWhileHeld({ server, client: officer.client, path, form }, (tx) => lockHead(tx, facilityNo));
  expect(await stored()).toEqual(before);
});

it('CEN-3 CEN-7 a reason for the head count that stands in a file is one for the numbers of today, though the words are the same', async () => {
  const place = await ward.elsewhere();
  const unit = await ward.unit('MED', {}, place);
  const ruth = await ward.person(['censusOfficer'], [unit], place);
  const which = { unit, date: '2026-11-19' };
  const reason = { variance_reason: 'one in theatre', variance_for: -2 };
  await put(ruth, which, entry({ counted: 19 }, { seed: 20, ...reason }));
  const line = 'unit_code,census_date,variance_reason\nMED,2026-11-19,one in theatre';
  const outcomes = async () =>
    (await upload(line, true, place, ruth)).rows.map((row: { outcome: string }) => row.outcome);
  expect((await read(ruth, which)).variance_for).toBe(-2);
  expect(await outcomes()).toEqual(['changed']);
  expect((await read(ruth, which)).variance_for).toBe(-1);
  expect(await outcomes()).toEqual(['unchanged']);
});

it('CEN-7 CEN-R12 who would have changed a signed day by a file is written down, a trial and a wrong file are not', async () => {
  const place = await ward.elsewhere();
  const unit = await ward.unit('MED', {}, place);
  const ana = await ward.person(['chargeNurse'], [unit], place);
  const owen = await ward.person(['houseSupervisor'], [], place);
  const ruth = await ward.person(['censusOfficer'], [unit], place);
  await approveAll({ nurse: ana, approver: owen }, { units: [{ unit, seed: 20 }], date: '2026-11-18' });
  const { day } = await getDay(ruth, place, '2026-11-18');
  await actOnDay(ruth, `${dayUrl(place, '2026-11-18')}/sign`, { version: day.version });
  const line = 'unit_code,census_date,admissions\nMED,2026-11-18,1';
  for (const isApplying of [false, true]) {
    expect((await upload(line, isApplying, place, ruth)).rows[0].problems).toMatchObject([{ code: 'LOCKED' }]);
  }
  await upload('unit_code,census_date,admissions\nMED,2026-11-19,x', true, place, ruth);
  const imports = (await logOf(ward, place)).filter(({ action }) => action === 'data.import');
  expect(imports).toMatchObject([
    {
      outcome: 'refused',
      actor_id: ruth.id,
      after: { refused: 'LOCKED', file_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    },
  ]);
});
