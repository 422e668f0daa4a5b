import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type FixtureUnit,
  fixtureOfFile,
  logOf,
  openHospital,
  type Person,
  type Place,
  read,
  report,
  setNow,
} from '#/features/census/reports/testing/census-fixture.ts';
import { hangUpWhileHeld } from '#/testing/counterparts/hang-up.ts';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { multipart } from '#/testing/multipart.ts';
import { actsOf, audited } from '#/testing/test-client.ts';
import { adtOf, type FeedRoom, openFeedRoom, stayFile } from './testing/feed-room.ts';

/** 10:00 on the 19th in Manila; the 18th is counted and the 19th goes on. */
const NOW = '2026-11-19T02:00:00Z';
const COUNTED = '2026-11-18';
const FIRST = '2026-11-20';

const ward = fixtureOfFile(NOW);
let place: Place;
let med: FixtureUnit;
let icu: FixtureUnit;
let ana: Person;
let admin: Person;
let room: FeedRoom;
beforeEach(async () => {
  ({ place, med, icu, ana } = await openHospital(ward, { med: {}, icu: {} }));
  admin = await ward.person(['facilityAdministrator'], [], place);
  room = await openFeedRoom(ward, place);
  await report(ana, { unit: med, date: COUNTED }, { seed: 2 });
  await report(ana, { unit: icu, date: COUNTED }, { seed: 1 });
});

const inBeds = (...more: string[]) =>
  stayFile(
    'MED 3A,301-1,V1,2026-11-03 14:20,adult_and_child',
    'med3a,301-2,V2,2026-11-10T08:00:00+08:00,',
    'ICU,9,V3,2026-11-17,adult_and_child',
    ...more,
  );
const feedOf = async (unit: FixtureUnit, date = FIRST) => (await read(ana, { unit, date })).feed;

describe('before the patient system counts', () => {
  it('F-N10 it is heard and says nothing of a report, and does not start where patients are in whom it knows nothing of', async () => {
    expect(await room.hand(adtOf('A01', { visit: 'V9', unit: 'MED 3A', at: '202611190100' }))).toContain('MSA|AA|');
    expect(await feedOf(med, '2026-11-19')).toBeNull();
    expect(await room.status(admin)).toMatchObject({
      live_from: null,
      next_date: FIRST,
      heard_at: expect.any(String),
      units: [
        { unit_code: 'ICU', census_date: COUNTED, closing: 1, told: 0 },
        { unit_code: 'MED 3A', census_date: COUNTED, closing: 2, told: 0 },
      ],
      refused: 0,
    });
    const refused = await room.post(admin, '/start', { reason: 'We start all the same' });
    expect(refused.statusCode).toBe(422);
    expect(refused.json().message).toBe(
      'By the newest reports 3 patients are in, and the patient system knows of none. Bring in who is in first.',
    );
    expect((await room.status(admin)).live_from).toBeNull();
  });

  it('F-C4 UI-2 a file whose sender has hung up brings nobody in and leaves no trace', async () => {
    const form = multipart([{ name: 'file', value: inBeds(), filename: 'in.csv', type: 'text/csv' }]);
    const { server } = ward;
    const path = `${room.base}/stays?apply=true`;
    await hangUpWhileHeld({ server, client: admin.client, path, form }, (tx) =>
      sql`lock table adt_events in share row exclusive mode`.execute(tx),
    );
    expect((await room.status(admin)).units.map(({ told }) => told)).toEqual([0, 0]);
    expect((await logOf(ward, place)).map(({ action }) => action)).not.toContain('data.import');
  });

  it('F-N10 a file of who is in is tried first and names its rows; applied, the reports open with whom it brought in', async () => {
    const tried = await room.upload(admin, inBeds());
    expect(tried).toMatchObject({ is_applied: false, counts: { new: 3, known: 0, refused: 0 } });
    expect((await room.status(admin)).units.map(({ told }) => told)).toEqual([0, 0]);
    expect(await room.upload(admin, inBeds(), true)).toMatchObject({ is_applied: true, counts: { new: 3 } });
    expect(await room.upload(admin, inBeds(), true)).toMatchObject({ counts: { new: 0, known: 3 } });
    expect((await room.status(admin)).units.map(({ told }) => told)).toEqual([1, 2]);
    expect((await room.status(admin)).heard_at).toBeNull();

    const started = await room.post(admin, '/start');
    expect(started.json()).toMatchObject({ live_from: FIRST });
    expect(await feedOf(med, '2026-11-19')).toBeNull();
    expect(await feedOf(med)).toMatchObject({ opening: 2, closing: 2, counts: { admissions: 0 } });
    setNow('2026-11-20T03:00:00Z');
    await room.hand(adtOf('A03', { visit: 'V1', unit: 'MED 3A', at: '202611200200' }));
    await room.hand(adtOf('A02', { visit: 'V2', unit: 'ICU', from: 'MED 3A', at: '202611200230' }));
    expect(await feedOf(med)).toMatchObject({ opening: 2, closing: 0, counts: { discharges: 1, transfers_out: 1 } });
    expect(await feedOf(icu)).toMatchObject({ opening: 1, closing: 2, counts: { transfers_in: 1 } });

    const log = await logOf(ward, place);
    expect(log.find(({ action }) => action === 'data.import')).toMatchObject({
      actor_id: admin.id,
      after: { kind: 'stays', new: 3, file_hash: tried.file_hash },
    });
    expect(log.find(({ action }) => action === 'settings.change')).toMatchObject({
      before: { feed_live_from: null },
      after: { feed_live_from: FIRST },
    });
    expect(JSON.stringify(log)).not.toMatch(/\bV[123]\b/);
    const of = { facility_id: place.facility.id };
    const file = { kind: 'stays', file_hash: tried.file_hash, refused: 0 };
    expect((await actsOf(ward.server, admin.id)).filter(({ action }) => action.startsWith('census.feed'))).toEqual([
      audited('census.feed.import', [], { ...of, detail: { ...file, new: 3, known: 0 } }),
      audited('census.feed.import', [], { ...of, detail: { ...file, new: 0, known: 3 } }),
      audited('census.feed.start', [], { ...of, detail: { from: FIRST, differences: 0 } }),
    ]);
    const again = await room.post(admin, '/start');
    expect([again.statusCode, again.json().findings[0].code]).toEqual([422, 'WRONG_STATUS']);
  });

  it('F-N10 where it differs from the reports each difference is named, and it starts only with a reason, on record', async () => {
    await room.upload(admin, stayFile('MED 3A,1,V1,2026-11-03 14:20,', 'ICU,9,V3,2026-11-17,'), true);
    const refused = await room.post(admin, '/start');
    expect(refused.statusCode).toBe(422);
    const difference = `MED 3A closed ${COUNTED} with 2, the patient system has 1`;
    expect(refused.json().message).toContain(difference);
    expect(refused.json().message).not.toContain('ICU');
    const reason = 'One left this morning';
    expect((await room.post(admin, '/start', { reason })).statusCode).toBe(200);
    expect((await logOf(ward, place)).at(-1)).toMatchObject({ after: { feed_differences: [difference] }, reason });
    expect(await feedOf(med)).toMatchObject({ opening: 1, closing: 1 });
  });

  it('F-N10 updates and registrations of inpatients bring in who is in, since their admission, wherever they are now', async () => {
    const update = (visit: string, unit: string, admittedAt: string, trigger = 'A08') =>
      room.hand(adtOf(trigger, { visit, unit, at: '202611190100', admittedAt }));
    await update('V1', 'MED 3A', '202611030620');
    await update('V2', 'ICU', '202611100000', 'A04');
    await update('V2', 'MED 3A', '202611100000');
    await update('V3', 'ICU', '202611161600');
    await room.hand(adtOf('A03', { visit: 'V4', unit: 'ICU', at: '202611190030' }));
    expect((await room.status(admin)).units.map(({ told }) => told)).toEqual([1, 2]);
    expect((await room.post(admin, '/start')).statusCode).toBe(200);
    expect(await feedOf(med)).toMatchObject({ opening: 2, closing: 2 });
    setNow('2026-11-20T03:00:00Z');
    await room.hand(adtOf('A08', { visit: 'V8', unit: 'ICU', at: '202611200100', admittedAt: '202611100000' }));
    expect(await feedOf(icu)).toMatchObject({ opening: 1, closing: 1 });
  });

  it('F-N10 the admission itself, told later, goes before what the file said of it', async () => {
    await room.upload(admin, inBeds(), true);
    await room.hand(adtOf('A01', { visit: 'V1', unit: 'ICU', at: '202611031400' }));
    await room.hand(adtOf('A02', { visit: 'V1', unit: 'MED 3A', from: 'ICU', at: '202611050100' }));
    await room.hand(adtOf('A03', { visit: 'V2', unit: 'MED 3A', at: '202611190100' }));
    expect(await room.upload(admin, inBeds(), true)).toMatchObject({
      counts: { new: 0, known: 3 },
      rows: [
        { line: 2, problems: [] },
        { line: 3, problems: [{ code: 'LEFT' }] },
        { line: 4, problems: [] },
      ],
    });
    await room.post(admin, '/start');
    expect(await feedOf(med)).toMatchObject({ opening: 1, closing: 1 });
  });
});

it('F-N10 a line that cannot be keeps the whole file out, with a code at its cell and no number of a visit', async () => {
  const lines = [
    'MED 3A,1,V1,2026-11-03 14:20,adult_and_child',
    'ORTHO,2,V2,2026-11-03 14:20,',
    'MED 3A,1,V3,2026-11-03 25:20,newborn',
    'MED 3A,3,V1,2026-12-24 10:00,',
    'MED 3A,4,,2026-11-03,outpatient',
    'MED 3A,5,V6,2026-11-03,,more',
  ];
  const answer = await room.upload(admin, stayFile(...lines), true);
  expect(answer).toMatchObject({ is_applied: false, counts: { new: 1, refused: 5 } });
  const codes = answer.rows.map((row: { line: number; problems: { column: string; code: string }[] }) => [
    row.line,
    ...row.problems.map(({ column, code }) => `${column} ${code}`),
  ]);
  expect(codes).toEqual([
    [3, 'unit_code UNKNOWN_UNIT'],
    [4, 'admitted_at INVALID_TIME', 'population POPULATION_NOT_REPORTED', 'bed DUPLICATE'],
    [5, 'admitted_at INVALID_TIME', 'visit_number DUPLICATE'],
    [6, 'visit_number MISSING_VALUE', 'population INVALID_TEXT'],
    [7, 'null TOO_MANY_CELLS'],
    [2],
  ]);
  expect(JSON.stringify(answer)).not.toMatch(/"V\d"/);
  expect((await room.status(admin)).units.map(({ told }) => told)).toEqual([0, 0]);
  for (const text of ['unit_code,bed\nMED 3A,1', 'unit_code,visit_number,admitted_at,name\nMED 3A,1,2,Reyes', '']) {
    expect((await room.upload(admin, text)).errors.file).toHaveLength(1);
  }
});

it('F-N10 a file with the names of earlier builds is read as well', async () => {
  const file = stayFile('MED 3A,1,V1,2026-11-03 14:20,adult_child').replace(',population', ',class');
  expect(await room.upload(admin, file)).toMatchObject({ counts: { new: 1, refused: 0 } });
});

it('F-N10 it starts in the facility that is named, and in no other of who starts it', async () => {
  const { facility, facilityNo, server } = ward;
  await makeMembership(server.db, { userId: admin.id, facility, roles: ['facilityAdministrator'] });
  await room.upload(admin, inBeds(), true);
  expect((await room.post(admin, '/start')).json().live_from).toBe(FIRST);
  const elsewhere = server.db.selectFrom('census_facilities').select('feed_live_from');
  expect(await elsewhere.where('facility_no', '=', facilityNo).execute()).toEqual([{ feed_live_from: null }]);
});

it('F-N10 only who sets the census up brings in, starts and reads what was refused', async () => {
  const officer = await ward.person(['censusOfficer'], [], place);
  for (const person of [ana, officer]) {
    expect((await room.get(person, '')).statusCode).toBe(403);
    expect((await room.get(person, '/refused')).statusCode).toBe(403);
    expect((await room.post(person, '/start')).statusCode).toBe(403);
    expect(await room.upload(person, inBeds(), true)).toMatchObject({ message: 'This action is unauthorized.' });
  }
  expect((await logOf(ward, place)).slice(-2)).toMatchObject([
    { action: 'settings.change', outcome: 'refused', actor_id: officer.id },
    { action: 'data.import', outcome: 'refused', actor_id: officer.id },
  ]);
  const stranger = await ward.person(['facilityAdministrator'], [], await ward.elsewhere());
  expect((await room.get(stranger, '')).statusCode).toBe(404);
});
