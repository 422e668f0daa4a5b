import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { censusPlaceOf, makeTransfer, makeUnitDays, type UnitDayState } from '#/testing/factories/census.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';
import { getCensusBoard } from './get-census-board.ts';
import { type Hospital, NOW, openHospital } from './testing/hospital.ts';

let database: TestDatabase;
let hospital: Hospital;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  hospital = await openHospital(database.db);
});

const board = (now = NOW) =>
  getCensusBoard(hospital.ask('census.view'), { params: { facility: hospital.facility.id } }, now);

/** The board of somebody by that id. */
function boardFor(userId: string) {
  const { db, actor } = hospital.ask('census.view');
  const ctx = { db, actor: { ...actor, userId } };
  return getCensusBoard(ctx, { params: { facility: hospital.facility.id } }, NOW);
}

const report = (unitId: string, days: readonly UnitDayState[]) =>
  makeUnitDays(hospital.db, { unitId, by: hospital.reporter, days });

async function snapshot(
  unitId: string,
  options: { takenAt: string; occupied: number; blocked?: number },
): Promise<void> {
  const { facility_no, unit_no } = await censusPlaceOf(hospital.db, unitId);
  await sql`
    insert into census_snapshots (id, facility_no, unit_no, population, taken_at, occupied, blocked, staffed, taken_by)
    values (${newId()}, ${facility_no}, ${unit_no}, 'adult_and_child', ${options.takenAt}, ${options.occupied},
      ${options.blocked ?? 0}, 27, ${hospital.reporter})`.execute(hospital.db);
}

describe('the board', () => {
  it('CEN-5 shows a unit as its report of the newest counted date says', async () => {
    const { db, facility, reporter } = hospital;
    const unit = await hospital.unit('MED');
    const { unit_no } = await censusPlaceOf(db, unit);
    await report(unit, [
      {
        date: '2026-11-19',
        opening: 24,
        admissions: 5,
        transfers_in: 1,
        discharges: 4,
        transfers_out: 3,
        on_leave: 1,
        beds: 28,
        licensed: 30,
        blocked: 2,
      },
    ]);
    await sql`insert into census_assignments (unit_no, user_id) values (${unit_no}, ${reporter})`.execute(db);
    const { id: chatId } = await makeChat(db, { facilityId: facility.id, participants: [{ userId: reporter }] });
    await sql`insert into census_discussions (unit_no, census_date, population, chat_id)
      values (${unit_no}, '2026-11-19', 'adult_and_child', ${chatId})`.execute(db);
    expect(await boardFor(reporter)).toEqual({
      facility_id: facility.id,
      census_date: '2026-11-19',
      time_zone: 'Europe/Berlin',
      census_at: '2026-11-19T23:00:00.000Z',
      due_at: '2026-11-20T00:00:00.000Z',
      bands: { target: 85, high: 92, full: 100 },
      boarding_hours: 4,
      units: [
        {
          unit_id: unit,
          unit_code: 'MED',
          unit_name: 'Unit MED',
          population: 'adult_and_child',
          counts_in_occupancy: true,
          status: 'approved',
          conditions: [],
          occupied: 22,
          basis: 'report',
          counted_at: '2026-11-19T23:00:00.000Z',
          beds: { licensed: 30, physical: 28, staffed: 28, surge: 0, blocked: 2 },
          transfers_in: 1,
          transfers_out: 3,
          is_on_time: true,
          variance: 0,
          variance_reason: null,
          variance_for: null,
          last_known: null,
          people: [{ id: reporter, name: 'Ana Reyes' }],
          discussion_chat_id: chatId,
          boarding_over: null,
          estimate: null,
        },
      ],
      alerts: [],
    });
  });

  it('CEN-1 CEN-5 tells by how many a head count differs and why, and nothing of a draft', async () => {
    const unit = await hospital.unit('MED');
    await report(unit, [{ date: '2026-11-19', opening: 24, on_leave: 1 }]);
    const set = (part: object) =>
      hospital.db
        .updateTable('unit_census')
        .set({ counted: 21, variance_reason: 'One at X-ray.', variance_for: -2, ...part });
    await set({}).execute();
    const said = { variance: -2, variance_reason: 'One at X-ray.', variance_for: -2 };
    expect((await board()).units[0]).toMatchObject(said);
    await set({ status: 'draft' }).execute();
    expect((await board()).units[0]).toMatchObject({ variance: null, variance_reason: null, variance_for: null });
  });

  it('CEN-5 CEN-10 a discussion is told to those who are in it, since to the others it would not open', async () => {
    const { db, facility, reporter } = hospital;
    const { unit_no } = await censusPlaceOf(db, await hospital.unit('MED'));
    const { id: chatId } = await makeChat(db, { facilityId: facility.id, participants: [{ userId: reporter }] });
    await sql`insert into census_discussions (unit_no, census_date, population, chat_id)
      values (${unit_no}, '2026-11-19', 'adult_and_child', ${chatId})`.execute(db);
    expect((await boardFor(reporter)).units.map((unit) => unit.discussion_chat_id)).toEqual([chatId]);
    expect((await board()).units.map((unit) => unit.discussion_chat_id)).toEqual([null]);
  });

  it('CEN-5 a count that was taken since the census hour wins over the report; earlier and future ones do not', async () => {
    const unit = await hospital.unit('MED');
    await report(unit, [{ date: '2026-11-19', opening: 22, beds: 28 }]);
    await snapshot(unit, { takenAt: '2026-11-19T22:59:00Z', occupied: 1 });
    await snapshot(unit, { takenAt: '2026-11-20T08:30:00Z', occupied: 2 });
    expect((await board()).units[0]).toMatchObject({
      occupied: 22,
      basis: 'report',
      beds: { staffed: 28, blocked: 0 },
    });
    await snapshot(unit, { takenAt: '2026-11-20T06:00:00Z', occupied: 24, blocked: 1 });
    await snapshot(unit, { takenAt: '2026-11-20T05:00:00Z', occupied: 3 });
    expect((await board()).units[0]).toMatchObject({
      occupied: 24,
      basis: 'snapshot',
      counted_at: '2026-11-20T06:00:00.000Z',
      beds: { physical: 28, staffed: 27, blocked: 1 },
    });
  });

  it('CEN-5 3.4 a unit that has not reported is null and not 0, with its newest count and the beds that it has on the date', async () => {
    const { db } = hospital;
    const unit = await hospital.unit('ICU');
    const { facility_no, unit_no } = await censusPlaceOf(db, unit);
    await sql`insert into bed_complements (facility_no, unit_no, valid, licensed, physical, staffed)
      values (${facility_no}, ${unit_no}, '[2020-01-01,2026-11-01)', 9, 9, 9),
        (${facility_no}, ${unit_no}, '[2026-11-01,)', 14, 12, 11)`.execute(db);
    await report(unit, [
      { date: '2026-11-15', opening: 7, on_leave: 1 },
      { date: '2026-11-17', opening: 5, status: 'draft' },
      { date: '2026-11-19', opening: 6, status: 'returned', beds: 12 },
    ]);
    const [returned] = (await board()).units;
    expect(returned).toMatchObject({
      status: 'returned',
      conditions: ['late'],
      occupied: null,
      basis: null,
      counted_at: null,
      transfers_in: null,
      is_on_time: null,
      last_known: { census_date: '2026-11-15', present: 6 },
      beds: { physical: 12, staffed: 12 },
    });
    const [before] = (await board(new Date('2026-11-18T23:30:00Z'))).units;
    expect(before).toMatchObject({
      status: null,
      conditions: ['due'],
      last_known: { census_date: '2026-11-15', present: 6 },
      beds: { licensed: 14, physical: 12, staffed: 11, surge: 0, blocked: 0 },
    });
  });

  it('CEN-5 CEN-3 says late, restated, unreconciled and provisional', async () => {
    const { db, reporter } = hospital;
    const [med, sur] = [await hospital.unit('MED'), await hospital.unit('SUR')];
    const { facility_no, unit_no } = await censusPlaceOf(db, med);
    const { rows } = await sql<{ no: number }>`
      insert into census_restatements (facility_no, unit_no, population, from_date, reason_code, reason, created_by)
      values (${facility_no}, ${unit_no}, 'adult_and_child', '2026-11-17', 'miscount', 'counted twice', ${reporter})
      returning restatement_no as no`.execute(db);
    await report(med, [
      { date: '2026-11-19', opening: 7, isOnTime: false, openingFrom: '2026-11-17', restatementNo: rows[0]?.no ?? 0 },
    ]);
    await report(sur, [{ date: '2026-11-19', opening: 7, openingFrom: '2026-11-18' }]);
    await makeTransfer(db, { date: '2026-11-19', from: med, to: sur, out: 2, in: 2 });
    await makeTransfer(db, { date: '2026-11-19', from: sur, to: med, out: 1, in: null });
    expect((await board()).units.map(({ conditions }) => conditions)).toEqual([
      ['late', 'restated', 'unreconciled', 'provisional'],
      ['unreconciled'],
    ]);
  });

  it('CEN-5 has units that are open on the date and counted, newborns as their own row, in the order of people', async () => {
    const { db } = hospital;
    const [obs, old, store] = [await hospital.unit('OBS'), await hospital.unit('OLD'), await hospital.unit('STORE')];
    await hospital.unit('MED');
    await sql`update census_units set populations = '{newborn,adult_and_child}' where unit_id = ${obs}`.execute(db);
    await sql`update census_units set active = '[,2026-11-19)' where unit_id = ${old}`.execute(db);
    await sql`update census_units set counts_in_census = false where unit_id = ${store}`.execute(db);
    const { units } = await board();
    expect(units.map((unit) => `${unit.unit_code} ${unit.population}`)).toEqual([
      'OBS adult_and_child',
      'OBS newborn',
      'MED adult_and_child',
    ]);
  });

  it('CEN-5 names only people who are still of the facility', async () => {
    const { db, facility } = hospital;
    const unit = await hospital.unit('MED');
    const { unit_no } = await censusPlaceOf(db, unit);
    const gone = await makeUser(db, { name: 'Gone' });
    const disabled = await makeUser(db, { name: 'Disabled', disabledAt: new Date() });
    for (const { id } of [gone, disabled]) await makeMembership(db, { userId: id, facility });
    await db.updateTable('memberships').set({ ended_at: new Date() }).where('user_id', '=', gone.id).execute();
    for (const id of [gone.id, disabled.id, hospital.reporter]) {
      await sql`insert into census_assignments (unit_no, user_id) values (${unit_no}, ${id})`.execute(db);
    }
    expect((await board()).units[0]?.people).toEqual([{ id: hospital.reporter, name: 'Ana Reyes' }]);
  });
});

describe('the date', () => {
  it.each([
    ['Europe/Berlin', '2026-11-19T22:59:59Z', '2026-11-18'],
    ['Europe/Berlin', '2026-11-19T23:00:00Z', '2026-11-19'],
    ['Africa/Cairo', '2026-04-23T21:59:59Z', '2026-04-22'],
    ['Africa/Cairo', '2026-04-23T22:00:00Z', '2026-04-23'],
    ['Pacific/Apia', '2011-12-30T11:00:00Z', '2011-12-29'],
  ])('CEN-5 3.3 in %s at %s the newest counted date is %s', async (zone, now, date) => {
    await sql`update census_hours set time_zone = ${zone} where facility_no = ${hospital.facilityNo}`.execute(
      hospital.db,
    );
    expect((await board(new Date(now))).census_date).toBe(date);
  });

  it('CEN-5 3.3 a census hour that begins later leaves the dates before it as they were', async () => {
    const { db } = hospital;
    await hospital.unit('MED');
    await sql`insert into census_hours (facility_no, from_date, time_zone, census_time, grace_minutes)
      values (${hospital.facilityNo}, '2026-11-20', 'Europe/Berlin', '07:00', 30)`.execute(db);
    expect(await board(new Date('2026-11-20T05:59:00Z'))).toMatchObject({
      census_date: '2026-11-19',
      census_at: '2026-11-19T23:00:00.000Z',
      due_at: '2026-11-20T00:00:00.000Z',
    });
    expect(await board(new Date('2026-11-20T06:00:00Z'))).toMatchObject({
      census_date: '2026-11-20',
      census_at: '2026-11-20T06:00:00.000Z',
      due_at: '2026-11-20T06:30:00.000Z',
    });
  });
});

describe('alerts', () => {
  it('CEN-9 those that nobody has taken on stand first; what is cleared or older than two weeks is not shown', async () => {
    const { db, reporter } = hospital;
    const unit = await hospital.unit('MED');
    const { facility_no, unit_no } = await censusPlaceOf(db, unit);
    const raise = (message: string, at: string, more: { by?: string; cleared?: string; date: string }) =>
      sql`
      insert into census_alerts (id, facility_no, unit_no, census_date, rule, message, raised_at, acknowledged_at,
        acknowledged_by, cleared_at)
      values (${newId()}, ${facility_no}, ${unit_no}, ${more.date}, 'over_high', ${message}, ${at},
        ${more.by === undefined ? null : at}, ${more.by ?? null}, ${more.cleared ?? null})`.execute(db);
    await raise('taken on', '2026-11-20T07:00:00Z', { date: '2026-11-19', by: reporter });
    await raise('older', '2026-11-18T07:00:00Z', { date: '2026-11-17' });
    await raise('newest', '2026-11-20T01:00:00Z', { date: '2026-11-18' });
    await raise('cleared', '2026-11-20T02:00:00Z', { date: '2026-11-16', cleared: '2026-11-20T03:00:00Z' });
    await raise('long ago', '2026-11-05T07:59:00Z', { date: '2026-11-04' });
    const { alerts } = await board();
    expect(alerts.map(({ message }) => message)).toEqual(['newest', 'older', 'taken on']);
    expect(alerts[2]).toEqual({
      id: expect.any(String),
      rule: 'over_high',
      unit_id: unit,
      unit_code: 'MED',
      population: null,
      census_date: '2026-11-19',
      message: 'taken on',
      raised_at: '2026-11-20T07:00:00.000Z',
      acknowledged_at: '2026-11-20T07:00:00.000Z',
      acknowledged_by: { id: reporter, name: 'Ana Reyes' },
    });
  });
});

describe('who may see it', () => {
  it('CEN-5 A16 the board is for those who may view the census; elsewhere there is no facility', async () => {
    const ask = (ctx: ReturnType<Hospital['ask']>, facility = hospital.facility.id) =>
      getCensusBoard(ctx, { params: { facility } }, NOW);
    await expect(ask(hospital.ask('census.report_units'))).rejects.toMatchObject({ code: 'forbidden' });
    const other = await makeFacility(hospital.db);
    await expect(ask(hospital.ask('census.view'), other.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(ask(hospital.ask('census.view'), newId())).rejects.toMatchObject({ code: 'not_found' });
  });

  it('CEN-5 A16 says nothing of another facility', async () => {
    const { db, reporter } = hospital;
    const other = await openOther();
    await makeUnitDays(db, { unitId: other.unit, by: reporter, days: [{ date: '2026-11-19', opening: 4242 }] });
    await hospital.unit('MED');
    const said = JSON.stringify(await board());
    expect(said).not.toContain('MARKER');
    // As a number: an id may hold these digits by chance.
    expect(said).not.toMatch(/(?<![\w-])4242(?![\w-])/);
  });

  async function openOther() {
    const { db } = hospital;
    const facility = await makeFacility(db, { name: 'MARKER hospital' });
    const id = newId();
    await db
      .insertInto('units')
      .values({ id, facility_id: facility.id, name: 'MARKER unit', code: 'MARKER', kind: 'ward', position: 0 })
      .execute();
    return { facility, unit: id };
  }
});
