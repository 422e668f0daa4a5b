import readSheets from 'read-excel-file/node';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  act,
  type CensusFixture,
  entry,
  type FixtureUnit,
  logOf,
  openCensusFixture,
  type Person,
  put,
  read,
  report,
  setNow,
} from '#/features/census/reports/testing/census-fixture.ts';
import { multipart } from '#/testing/multipart.ts';

let ward: CensusFixture;
let officer: Person;
let nurse: Person;
let med: FixtureUnit;
let sur: FixtureUnit;
let nur: FixtureUnit;

beforeAll(async () => {
  ward = await openCensusFixture();
});
afterAll(() => ward.close());

let made = 0;
beforeEach(async () => {
  setNow('2026-11-20T04:00:00Z');
  made += 1;
  med = await ward.unit(`MED${made}`);
  sur = await ward.unit(`SUR${made}`);
  nur = await ward.unit(`NUR${made}`, { populations: ['newborn'] });
  officer = await ward.person(['censusOfficer'], [med, sur, nur]);
  nurse = await ward.person(['chargeNurse'], [med, sur, nur]);
});

const COLUMNS =
  'facility_code,unit_code,census_date,population,opening,admissions,births,transfers_in,discharges,deaths,deaths_u48,transfers_out,ad_same_day,on_leave,counted,beds_staffed,beds_blocked,note,observation,transfers_from,transfers_to';
const line = (unit: FixtureUnit, date: string, rest: string) => `SH,${unit.code},${date},${rest}`;
const file = (...lines: string[]) => [COLUMNS, ...lines].join('\n');

async function upload(person: Person, content: string | Buffer, { apply = false, facility = ward.facility.id } = {}) {
  const form = multipart([{ name: 'file', value: content, filename: 'census.csv', type: 'text/csv' }]);
  const response = await person.client.send('POST', `/api/census/imports?facility=${facility}&apply=${apply}`, form);
  return { status: response.statusCode, ...response.json() };
}

async function download(person: Person, kind: string, query: Record<string, string> = {}) {
  const all = { facility: ward.facility.id, from: '2026-11-18', to: '2026-11-19', ...query };
  return person.client.send('GET', `/api/census/exports/${kind}?${new URLSearchParams(all)}`);
}

const good = () =>
  file(
    line(med, '2026-11-18', `adult_and_child,24,5,0,0,4,1,0,1,0,0,23,28,1,,0,,${sur.code}:1`),
    line(sur, '2026-11-18', `adult_and_child,18,2,0,1,3,0,0,0,0,0,18,24,0,=1+1,0,${med.code}:1,`),
    line(nur, '2026-11-18', 'newborn,12,0,4,0,5,0,0,0,0,0,11,14,0,,0,,'),
    line(med, '2026-11-19', 'adult_and_child,,2,0,0,1,0,0,0,0,0,24,28,1,,0,,'),
  );

const COUNTED =
  'opening,admissions,births,transfers_in,discharges,deaths,deaths_u48,transfers_out,ad_same_day,on_leave,observation,counted';

it('CEN-8 an import is tried first, changes nothing then, and says of each line what it would become', async () => {
  const tried = await upload(officer, good());
  expect(tried).toMatchObject({
    status: 200,
    is_applied: false,
    counts: { new: 4, changed: 0, unchanged: 0, refused: 0 },
  });
  expect(tried.file_hash).toMatch(/^[0-9a-f]{64}$/);
  expect((await read(nurse, { unit: med, date: '2026-11-18' })).version).toBe(0);
});

it('CEN-8 applied, whole reports are handed in, the chain goes on from them, and the log names the file', async () => {
  const applied = await upload(officer, good(), { apply: true });
  expect(applied).toMatchObject({ is_applied: true, counts: { new: 4 } });
  expect(await read(nurse, { unit: med, date: '2026-11-19' })).toMatchObject({
    status: 'submitted',
    source: 'import',
    opening: 23,
    opening_from: '2026-11-18',
    closing: 24,
  });
  expect(await read(nurse, { unit: sur, date: '2026-11-18' })).toMatchObject({
    note: '=1+1',
    transfers: [{ unit_id: med.id, direction: 'in', mine: 1, theirs: 1 }],
  });
  const log = await logOf(ward, ward);
  expect(log.filter(({ action }) => action === 'data.import').at(-1)?.after).toMatchObject({
    file_hash: applied.file_hash,
    new: 4,
  });
  expect(await upload(officer, good(), { apply: true })).toMatchObject({
    counts: { unchanged: 4, new: 0, changed: 0 },
  });
});

it('CEN-8 one refused line keeps the whole file out, with the code of the rule at its cell', async () => {
  const text = file(
    line(med, '2026-11-18', 'adult_and_child,24,5,0,0,4,1,0,0,0,0,24,28,1,,0,,'),
    line(sur, '2026-11-18', 'adult_and_child,3,0,0,0,5,0,0,0,0,0,0,24,0,,0,,'),
    line(nur, '2026-11-18', 'newborn,12,0,4,0,5,0,0,0,9,0,11,14,0,,0,,'),
    line(med, '2026-11-19', 'adult_and_child,99,0,0,0,0,0,0,0,0,0,24,28,1,,0,,'),
    line(sur, '2026-11-25', 'adult_and_child,,0,0,0,0,0,0,0,0,0,0,24,0,,0,,'),
    line(med, '2026-11-18', 'adult_and_child,24,0,0,0,0,0,0,0,0,0,24,28,1,,0,,'),
    `SH,ORTHO,2026-11-18,adult_and_child${','.repeat(17)}`,
    `XX,${med.code},2026-11-17,adult_and_child${','.repeat(17)}`,
    line(med, '1900-01-01', 'adult_and_child,24,0,0,0,0,0,0,0,0,0,24,28,1,,0,,'),
    line(nur, '2026-11-18', 'adult_and_child,3,0,0,1,0,0,0,1,0,0,3,14,0,,0,ORTHO:1,ORTHO:1'),
  );
  const refused = await upload(officer, text, { apply: true });
  expect(refused).toMatchObject({ is_applied: false, counts: { new: 1, refused: 9 } });
  const codes = Object.fromEntries(
    refused.rows.map((row: { line: number; problems: { code: string; column: string | null }[] }) => [
      row.line,
      row.problems.map(({ code, column }) => `${code} ${column}`),
    ]),
  );
  expect(codes[2]).toEqual([]);
  expect(codes[3]).toEqual(['NEGATIVE_CLOSING closing']);
  expect(codes[4]).toContain('AD_EXCEEDS_SEPARATIONS ad_same_day');
  expect(codes[5]).toContain('OPENING_MISMATCH opening');
  expect(codes[6]).toContain('NOT_YET_DUE null');
  expect(codes[7]).toContain('DUPLICATE null');
  expect(codes[8]).toEqual(['UNKNOWN_UNIT unit_code']);
  expect(codes[9]).toEqual(['UNKNOWN_FACILITY facility_code']);
  expect(codes[10]).toEqual(['NO_SUCH_DATE census_date']);
  expect(codes[11]).toEqual(['UNKNOWN_UNIT transfers_from', 'UNKNOWN_UNIT transfers_to']);
  expect((await read(nurse, { unit: med, date: '2026-11-18' })).version).toBe(0);
});

it('CEN-8 CEN-R1 a file that says another closing than its counts come to is refused there; the right one, or none, is taken', async () => {
  const told = (closing: string) =>
    `unit_code,census_date,${COUNTED},closing\n${med.code},2026-11-18,24,2,0,0,4,0,0,0,0,0,0,22,${closing}`;
  const refused = await upload(officer, told('21'), { apply: true });
  expect(refused.rows[0].problems).toEqual([
    { column: 'closing', code: 'UNBALANCED', message: 'The total entered is 21; what was counted comes to 22.' },
  ]);
  expect((await read(nurse, { unit: med, date: '2026-11-18' })).version).toBe(0);
  expect(await upload(officer, told('22'))).toMatchObject({ counts: { new: 1, refused: 0 } });
  expect(await upload(officer, told(''))).toMatchObject({ counts: { new: 1, refused: 0 } });
});

it('CEN-2 CEN-8 beds that a unit does not have are refused at their cells', async () => {
  const beds = `unit_code,census_date,beds_staffed,beds_blocked\n${med.code},2026-11-18,31,0\n${sur.code},2026-11-18,10,12`;
  const { rows } = await upload(officer, beds, { apply: true });
  expect(rows.map(({ problems }: { problems: object[] }) => problems)).toEqual([
    [{ column: 'beds_staffed', code: 'STAFFED_EXCEEDS_BEDS', message: 'More beds are staffed than there are.' }],
    [{ column: 'beds_blocked', code: 'BLOCKED_EXCEEDS_BEDS', message: 'More beds are blocked than are staffed.' }],
  ]);
});

it('CEN-8 what is blank stays as it is, and a report that is not whole becomes a draft', async () => {
  await report(nurse, { unit: med, date: '2026-11-18' }, { seed: 24, counts: { admissions: 2 } });
  const beds = `unit_code,census_date,admissions,beds_staffed,beds_blocked\n${med.code},2026-11-19,3,20,1`;
  await upload(officer, beds, { apply: true });
  expect(await read(nurse, { unit: med, date: '2026-11-19' })).toMatchObject({
    status: 'draft',
    counts: { admissions: 3, discharges: null, births: 0 },
    closing: null,
    beds: { staffed: 20, blocked: 1 },
  });
  const same = await upload(officer, `unit_code,census_date,admissions\n${med.code},2026-11-19,3`);
  expect(same.counts).toMatchObject({ unchanged: 1, changed: 0 });
  for (const beds of ['21,1', '20,2']) {
    const file = `unit_code,census_date,beds_staffed,beds_blocked\n${med.code},2026-11-19,${beds}`;
    expect((await upload(officer, file)).counts).toMatchObject({ unchanged: 0, changed: 1 });
  }
  // That nobody came from a unit of which nothing was said says no more.
  const nobody = `unit_code,census_date,transfers_in,transfers_from\n${med.code},2026-11-19,,${sur.code}:0`;
  expect((await upload(officer, nobody)).counts).toMatchObject({ unchanged: 1, changed: 0 });
  const again = await upload(officer, `unit_code,census_date,admissions\n${med.code},2026-11-18,3`);
  expect(again.rows[0]).toMatchObject({ outcome: 'refused', problems: [{ code: 'WRONG_STATUS' }] });
});

it('CEN-8 a draft and a returned report that a file makes whole are handed in', async () => {
  const which = { unit: med, date: '2026-11-18' };
  const rest = line(med, which.date, 'adult_and_child,24,5,0,0,4,1,0,0,0,0,24,28,1,,0,,');
  await put(nurse, which, entry({ admissions: 5, counted: null }, { seed: 24 }));
  expect(await read(nurse, which)).toMatchObject({ status: 'draft' });
  expect(await upload(officer, file(rest), { apply: true })).toMatchObject({ counts: { changed: 1 } });
  const handedIn = await read(nurse, which);
  expect(handedIn).toMatchObject({ status: 'submitted', closing: 24 });
  const reason = 'One discharge is missing';
  await act(officer, which, ['return', { version: handedIn.version, reason }]);
  const mended = line(med, which.date, 'adult_and_child,24,5,0,0,5,1,0,0,0,0,23,28,1,,0,,');
  expect(await upload(officer, file(mended), { apply: true })).toMatchObject({ counts: { changed: 1 } });
  expect(await read(nurse, which)).toMatchObject({ status: 'submitted', closing: 23 });
});

it('CEN-8 what is exported can be imported into the same place and changes nothing there', async () => {
  await upload(officer, good(), { apply: true });
  for (const format of ['csv', 'xlsx']) {
    const { rawPayload } = await download(officer, 'unit-days', { format });
    expect(await upload(officer, rawPayload)).toMatchObject({ counts: { new: 0, changed: 0, refused: 0 } });
  }
});

it('CEN-8 the files of an export are opened again by another reader and hold what was reported', async () => {
  await upload(officer, good(), { apply: true });
  const csv = await download(officer, 'unit-days');
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(csv.headers['content-disposition']).toBe(
    'attachment; filename="census-SH-unit-days-2026-11-18-2026-11-19.csv"',
  );
  expect(csv.payload).toContain(
    `SH,${med.code},2026-11-18,adult_and_child,24,5,0,0,4,1,0,1,0,0,23,28,1,,0,,${sur.code}:1`,
  );
  expect(csv.payload).toContain("'=1+1");
  const workbook = await download(officer, 'unit-days', { format: 'xlsx' });
  expect(workbook.headers['content-disposition']).toContain('unit-days-2026-11-18-2026-11-19.xlsx"');
  const [sheet] = await readSheets(workbook.rawPayload);
  const row = sheet?.data.find((cells) => cells[1] === med.code && cells[2] === '2026-11-19');
  expect(row?.slice(3, 8)).toEqual(['adult_and_child', 23, 2, 0, 0]);
});

it('CEN-8 the template has a line for each report that is owed, with what it opens with', async () => {
  await report(nurse, { unit: med, date: '2026-11-18' }, { seed: 24, counts: { admissions: 2 } });
  const { payload } = await download(nurse, 'template', { from: '2026-11-19' });
  const lines = payload
    .trim()
    .split('\r\n')
    .filter((text) => [med, sur, nur].some(({ code }) => text.startsWith(`SH,${code},`)));
  expect(lines).toHaveLength(3);
  expect(lines.find((text) => text.startsWith(`SH,${med.code}`))).toMatch(
    /^SH,MED\d+,2026-11-19,adult_and_child,26,,0,/,
  );
});

it('A31 CEN-8 files leave only for those who may have them, and every one is logged', async () => {
  const stranger = await ward.person(['censusOfficer'], [], await ward.elsewhere());
  expect((await download(stranger, 'unit-days')).statusCode).toBe(404);
  expect((await upload(stranger, good())).status).toBe(404);
  expect((await download(nurse, 'unit-days')).statusCode).toBe(403);
  expect((await upload(nurse, good())).status).toBe(403);
  const refusals = (await logOf(ward, ward)).filter(({ outcome }) => outcome === 'refused');
  expect(refusals.filter(({ actor_id }) => actor_id === nurse.id)).toMatchObject([
    { action: 'data.export', after: { refused: 'forbidden' } },
    { action: 'data.import', after: { refused: 'forbidden' } },
  ]);
  const clinician = await ward.person(['clinician']);
  expect((await download(clinician, 'template')).statusCode).toBe(403);
  expect((await download(officer, 'nhsn-csv')).statusCode).toBe(200);
  expect((await logOf(ward, ward)).at(-1)).toMatchObject({
    action: 'data.export',
    actor_id: officer.id,
    after: { kind: 'nhsn-csv', from: '2026-11-18', to: '2026-11-19' },
  });
});

it('CEN-8 CEN-R15 a range that is none, past the calendar or too long is refused', async () => {
  for (const day of ['0000-01-01', '0001-01-01', '9999-12-31']) {
    expect((await download(officer, 'unit-days', { from: day, to: day })).statusCode).toBe(422);
  }
  expect((await download(officer, 'saner-measure-report', { from: '0000-12-31' })).statusCode).toBe(422);
  expect((await download(officer, 'unit-days', { from: '2026-11-20', to: '2026-11-19' })).statusCode).toBe(422);
  expect((await download(officer, 'measures', { from: '2016-10-02' })).statusCode).toBe(422);
  expect((await download(officer, 'measures', { from: '2016-10-03' })).statusCode).toBe(200);
});

it('CEN-8 the MeasureReport of a day that is not whole says pending, of several days is a bundle', async () => {
  await upload(officer, good(), { apply: true });
  const one = await download(officer, 'saner-measure-report', { from: '2026-11-18', to: '2026-11-18' });
  expect(one.headers['content-type']).toBe('application/fhir+json; charset=utf-8');
  expect(one.json()).toMatchObject({
    resourceType: 'MeasureReport',
    status: 'pending',
    period: { start: '2026-11-18T00:00:00+08:00', end: '2026-11-18T23:59:59+08:00' },
  });
  expect((await download(officer, 'safr-measure-report')).json()).toMatchObject({
    resourceType: 'Bundle',
    type: 'collection',
  });
  expect((await download(officer, 'saner-csv')).payload.split('\r\n')[0]).toBe(
    'subject,reporter,period-start,period-end,numbeds,numBedsOcc,numICUBeds,numICUBedsOcc',
  );
});

it('CEN-8 a message by HTTP needs the right of a machine, and is acknowledged once it is stored', async () => {
  const message = [
    'MSH|^~\\&|ADT|H1|CENSUS|H1|20261119101500+0800||ADT^A01|H1|P|2.5.1',
    'EVN|A01|20261119101500+0800||||20261119101500+0800',
    'PID|1||P1',
    `PV1|1|I|${med.code}^1^1||||||||||||||||V1`,
  ].join('\r');
  const send = (person: Person, text: string) =>
    person.client.send('POST', '/api/census/feeds/hl7', { body: { facility: ward.facility.id, message: text } });
  expect((await send(officer, message)).statusCode).toBe(403);
  expect((await logOf(ward, ward)).at(-1)).toMatchObject({
    action: 'feed.receive',
    outcome: 'refused',
    actor_id: officer.id,
  });
  const { db } = ward.server;
  const role = await db
    .insertInto('roles')
    .values({
      id: crypto.randomUUID(),
      facility_id: ward.facility.id,
      name: `Feed ${made}`,
      permissions: ['census.feed'],
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const machine = await ward.person([]);
  const place = await db
    .selectFrom('memberships')
    .select('id')
    .where('user_id', '=', machine.id)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('membership_roles')
    .values({ membership_id: place.id, role_id: role.id, facility_id: ward.facility.id })
    .execute();
  expect((await send(machine, message)).json()).toMatchObject({ code: 'AA', reason: null });
  const refused = (await send(machine, 'good morning')).json();
  expect(refused).toMatchObject({ code: 'AE', reason: 'this is not an HL7 v2 message' });
  expect(refused.acknowledgement).toContain('MSA|AE|');
});

it('F-N6 CEN-8 a file brings nothing in for a unit that PUT would refuse: the dry run names the rows, applying stores none', async () => {
  const compiler = await ward.person(['censusOfficer'], [sur]);
  const day = entry({ counted: 24 }, { seed: 24, submit: true });
  expect((await put(compiler, { unit: med, date: '2026-11-18' }, day)).status).toBe(403);
  const lines = [
    line(sur, '2026-11-18', 'adult_and_child,18,0,0,0,0,0,0,0,0,0,18,24,0,,0,,'),
    line(med, '2026-11-18', 'adult_and_child,24,0,0,0,0,0,0,0,0,0,24,28,1,,0,,'),
  ];
  const refusedRow = {
    line: 3,
    unit_code: med.code,
    outcome: 'refused',
    problems: [{ column: 'unit_code', code: 'forbidden', message: `You don’t report for ${med.code}.` }],
  };
  for (const apply of [false, true]) {
    const answer = await upload(compiler, file(...lines), { apply });
    expect(answer).toMatchObject({ is_applied: false, counts: { new: 1, refused: 1 } });
    expect(answer.rows[0]).toMatchObject(refusedRow);
  }
  expect((await read(nurse, { unit: sur, date: '2026-11-18' })).version).toBe(0);
  expect((await logOf(ward, ward)).at(-1)).toMatchObject({
    action: 'data.import',
    outcome: 'refused',
    actor_id: compiler.id,
    after: { refused: 'forbidden' },
  });
  expect(await upload(nurse, file(...lines))).toMatchObject({ message: 'This action is unauthorized.' });
  expect(await upload(officer, file(...lines), { apply: true })).toMatchObject({ counts: { new: 2, refused: 0 } });
});

it('CEN-8 3.5 a line whose transfers are not said of each partner is refused: no total is kept without its rows', async () => {
  const lines = [
    line(med, '2026-11-18', 'adult_and_child,24,0,0,0,0,0,0,1,0,0,23,28,1,,0,,'),
    line(sur, '2026-11-18', `adult_and_child,18,0,0,2,0,0,0,0,0,0,20,24,0,,0,${med.code}:1,`),
  ];
  const { counts, rows } = await upload(officer, file(...lines), { apply: true });
  expect(counts).toMatchObject({ refused: 2 });
  expect(rows.flatMap((row: { problems: object[] }) => row.problems)).toEqual([
    { column: 'transfers_out', code: 'UNBALANCED', message: 'Transfers out is 1, but the partners add up to 0.' },
    { column: 'transfers_in', code: 'UNBALANCED', message: 'Transfers in is 2, but the partners add up to 1.' },
  ]);
});
