import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  act,
  entry,
  type FixtureUnit,
  fixtureOfFile,
  logOf,
  openHospital,
  type Person,
  type Place,
  put,
  read,
  report,
  setNow,
} from '#/features/census/reports/testing/census-fixture.ts';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { actsOf, audited, auditOf } from '#/testing/test-client.ts';
import { actionsOf, actOnDay, approveBoth, dayUrl, getDay, reportStatuses } from './testing/days.ts';

/** 08:00 on the 20th in Manila: the 19th, a Thursday, is counted and due. */
const NOW = '2026-11-20T00:00:00Z';
const DATE = '2026-11-19';

const ward = fixtureOfFile(NOW);
let place: Place;
let med: FixtureUnit;
let icu: FixtureUnit;
let ana: Person;
let ruth: Person;
let url: string;
beforeEach(async () => {
  ({ place, med, icu, ana, ruth } = await openHospital(ward, { med: {}, icu: { staffed: 10 } }));
  url = dayUrl(place, DATE);
});

const bothIn = () => approveBoth({ ana, ruth, med, icu }, DATE);
const storedGap = async () => {
  const days = ward.server.db.selectFrom('facility_days').select('transfer_gap').where('census_date', '=', DATE);
  return (await days.where('facility_no', '=', place.facilityNo).executeTakeFirst())?.transfer_gap;
};
const statusesOf = () => reportStatuses(ward, place, DATE);

describe('a facility’s day', () => {
  it('CEN-3 CEN-6 says who is in, what is missing and what blocks its signature, before anything is stored', async () => {
    const { status, day } = await getDay(ruth, place, DATE);
    expect(status).toBe(200);
    expect(day).toMatchObject({
      status: 'open',
      version: 1,
      units_expected: 2,
      units_submitted: 0,
      census_at: '2026-11-19T16:00:00.000Z',
      due_at: '2026-11-19T17:00:00.000Z',
      sign_off_due_at: '2026-11-20T03:00:00.000Z',
      locks_at: '2026-12-03T16:00:00.000Z',
      may: { sign: true, lock: false, reopen: false, approve: true },
    });
    expect(day.blockers.map(({ code, message }) => [code, message])).toEqual([
      ['UNIT_MISSING', 'ICU report missing'],
      ['UNIT_MISSING', 'MED 3A report missing'],
    ]);
    const days = ward.server.db.selectFrom('facility_days').selectAll().where('facility_no', '=', place.facilityNo);
    expect(await days.execute()).toEqual([]);
  });

  it('CEN-6 a report blocks as not in yet before it is due, as missing from then on, and as returned when it was returned', async () => {
    const text = async () => (await getDay(ruth, place, DATE)).day.blockers.map(({ message }) => message);
    setNow('2026-11-19T17:00:00Z');
    expect(await text()).toEqual(['ICU not in yet', 'MED 3A not in yet']);
    setNow('2026-11-19T17:00:01Z');
    expect(await text()).toEqual(['ICU report missing', 'MED 3A report missing']);
    const { version } = await report(ana, { unit: med, date: DATE }, { seed: 24 });
    const back = { version, reason: 'The deaths are missing' };
    expect((await act(ruth, { unit: med, date: DATE }, ['return', back])).status).toBe(200);
    expect(await text()).toEqual(['ICU report missing', 'MED 3A returned']);
  });

  it('CEN-6 shows the figures of what is handed in and none of a draft', async () => {
    await report(ana, { unit: med, date: DATE }, { seed: 24 });
    const transfers = [{ unit_id: med.id, direction: 'in', count: 2 }] as never;
    await put(ana, { unit: icu, date: DATE }, entry({ transfers_in: 2, counted: 10 }, { seed: 8, transfers }));
    const { day } = await getDay(ruth, place, DATE);
    expect(day.transfers).toMatchObject([{ out_count: null, in_count: null, gap: 0 }]);
    expect(day.units.map((unit) => [unit.unit_code, unit.status, unit.closing, unit.present])).toEqual([
      ['ICU', 'draft', null, null],
      ['MED 3A', 'submitted', 24, 24],
    ]);
    expect(day).toMatchObject({ units_submitted: 1, units_expected: 2 });
    expect(day.units.map(({ conditions }) => conditions)).toEqual([['missing'], ['late']]);
    expect(day.blockers.map(({ message }) => message)).toEqual(['ICU report missing', 'MED 3A to approve']);
  });

  it('CEN-1 CEN-6 says of a head count that differs for which difference its reason was given, and by whom', async () => {
    const variance_reason = 'One at X-ray.';
    await put(ana, { unit: med, date: DATE }, entry({ counted: 23 }, { seed: 24, submit: true, variance_reason }));
    const { day } = await getDay(ruth, place, DATE);
    const by = { id: ana.id, name: ana.name };
    expect(day.units.find(({ unit_id }) => unit_id === med.id)).toMatchObject({
      variance_reason,
      variance_for: -1,
      variance_by: by,
    });
  });

  it('CEN-3 CEN-R15 is no day of the calendar: 422 by its code, and in Apia neither', async () => {
    expect(await getDay(ruth, place, '2027-02-29')).toMatchObject({ status: 422, codes: ['NO_SUCH_DATE'] });
    const apia = await ward.elsewhere('Pacific/Apia');
    const sina = await ward.person(['censusOfficer'], [], apia);
    expect(await getDay(sina, apia, '2011-12-30')).toMatchObject({ status: 422, codes: ['NO_SUCH_DATE'] });
    expect((await getDay(sina, apia, '2011-12-31')).status).toBe(200);
  });

  it('CEN-3 A16 is for those who compile it: a nurse is refused, a stranger finds nothing', async () => {
    const stranger = await ward.person(['censusOfficer']);
    expect((await getDay(ana, place, DATE)).status).toBe(403);
    expect((await getDay(stranger, place, DATE)).status).toBe(404);
    expect((await actOnDay(stranger, `${url}/sign`, { version: 1 })).status).toBe(404);
  });
});

describe('signing', () => {
  it('CEN-3 signs and locks a day whose units are all in and approved, with the head of the log', async () => {
    await bothIn();
    const signed = await actOnDay(ruth, `${url}/sign`, { version: 1, lock: true });
    expect(signed.status).toBe(200);
    expect(signed.day).toMatchObject({
      status: 'locked',
      version: 3,
      blockers: [],
      signed_at: '2026-11-20T00:00:00.000Z',
      signed_by: { id: ruth.id, name: ruth.name },
      locked_at: '2026-11-20T00:00:00.000Z',
      may: { sign: false, lock: false, reopen: true, approve: true },
    });
    expect(await statusesOf()).toEqual(['locked', 'locked']);
    const log = await logOf(ward, place);
    expect(log.slice(-2).map(({ action }) => action)).toEqual(['facility_day.sign', 'facility_day.lock']);
    expect(log.at(-2)?.after).toMatchObject({ status: 'approved', census: 32, service_days: 32, transfer_gap: 0 });
    const head = await ward.server.db
      .selectFrom('census_log_heads')
      .select('hash')
      .where('facility_no', '=', place.facilityNo)
      .executeTakeFirstOrThrow();
    expect(signed.day.log_head).toBe(head.hash.toString('hex'));
  });

  it('A46 CEN-7 signed, locked, reopened and signed again it is four entries of the audit, and in the log who did it and what it was', async () => {
    await bothIn();
    const from = (await logOf(ward, place)).length;
    const reason = 'A slip came late';
    await actOnDay(ruth, `${url}/sign`, { version: 1 });
    await actOnDay(ruth, `${url}/lock`, { version: 2 });
    await actOnDay(ruth, `${url}/reopen`, { version: 3, reason_code: 'late_slip', reason });
    const last = await actOnDay(ruth, `${url}/sign`, { version: 4 });
    expect(last.day).toMatchObject({ status: 'approved', version: 5, locked_at: null });
    // The answer says so of any day that is not locked.
    const stored = ward.server.db.selectFrom('facility_days').select('locked_at').where('census_date', '=', DATE);
    expect(await stored.where('facility_no', '=', place.facilityNo).execute()).toEqual([{ locked_at: null }]);
    const lines = (await logOf(ward, place)).slice(from).map((line) => {
      expect(line).toMatchObject({ actor_id: ruth.id, census_date: DATE, outcome: 'done' });
      const told = [
        line.before?.['status'],
        line.after?.['status'],
        line.after_approval,
        line.reason_code,
        line.reason,
      ];
      return [line.action, ...told];
    });
    expect(lines).toEqual([
      ['facility_day.sign', 'open', 'approved', false, null, null],
      ['facility_day.lock', 'approved', 'locked', false, null, null],
      ['facility_day.reopen', 'locked', 'reopened', true, 'late_slip', reason],
      ['facility_day.sign', 'reopened', 'approved', true, null, null],
    ]);
    const of = (detail: object) => ({ facility_id: place.facility.id, object_type: 'facility_day', detail });
    const signed = of({ date: DATE, lock: false, transfer_gap: 0 });
    const acts = await actsOf(ward.server, ruth.id);
    expect(acts.filter(({ object_type }) => object_type === 'facility_day')).toEqual([
      audited('census.facility_day.sign', [], signed),
      audited('census.facility_day.lock', [], of({ date: DATE })),
      audited('census.facility_day.reopen', [], of({ date: DATE, from: 'locked', reason_code: 'late_slip' })),
      audited('census.facility_day.sign', [], signed),
    ]);
  });

  it('CEN-3 what is signed, locked and reopened is the day of one facility, and of no other of the same person', async () => {
    const other = await openHospital(ward, { med: {}, icu: {} });
    await approveBoth(other, DATE);
    await bothIn();
    const { facility, facilityNo } = other.place;
    await makeMembership(ward.server.db, { userId: ruth.id, facility, roles: ['censusOfficer'] });
    const elsewhere = async () => {
      const found = await sql`
        select (select json_agg(d) from facility_days d where facility_no = ${facilityNo}) as days,
          (select json_agg(c order by unit_no) from unit_census c where facility_no = ${facilityNo}) as reports,
          (select count(*) from unit_census_revisions where unit_no in (${other.med.no}, ${other.icu.no})) as revisions,
          (select json_agg(h) from census_log_heads h where facility_no = ${facilityNo}) as head`.execute(
        ward.server.db,
      );
      return found.rows;
    };
    const before = await elsewhere();
    await actOnDay(ruth, `${url}/sign`, { version: 1, lock: true });
    const why = { reason_code: 'late_slip', reason: 'A discharge slip came late' };
    expect((await actOnDay(ruth, `${url}/reopen`, { version: 3, ...why })).day.status).toBe('reopened');
    expect(await elsewhere()).toEqual(before);
  });

  it('CEN-3 locking keeps each report as it was before', async () => {
    await bothIn();
    await actOnDay(ruth, `${url}/sign`, { version: 1 });
    expect(await statusesOf()).toEqual(['approved', 'approved']);
    const locked = await actOnDay(ruth, `${url}/lock`, { version: 2 });
    expect(locked.day).toMatchObject({ status: 'locked', version: 3 });
    const kept = await sql<{ status: string; version: number }>`
      select row_data ->> 'status' as status, version from unit_census_revisions
      where unit_no = ${med.no} and census_date = ${DATE} order by version desc limit 1`.execute(ward.server.db);
    const now = await read(ruth, { unit: med, date: DATE });
    expect(kept.rows).toEqual([{ status: 'approved', version: now.version - 1 }]);
    const again = await actOnDay(ruth, `${url}/lock`, { version: 3 });
    expect(again).toMatchObject({ status: 422, codes: ['WRONG_STATUS'], messages: ['Thu 19 Nov is locked already.'] });
  });

  it('CEN-3 is refused with a code and a sentence for everything that blocks it', async () => {
    await report(ana, { unit: med, date: DATE }, { seed: 24 });
    const refused = await actOnDay(ruth, `${url}/sign`, { version: 1 });
    expect(refused).toMatchObject({
      status: 422,
      codes: ['UNIT_MISSING', 'WRONG_STATUS'],
      messages: ['ICU report missing', 'MED 3A to approve'],
    });
    expect((await getDay(ruth, place, DATE)).day.status).toBe('open');
  });

  it('CEN-3 CEN-R10 is not possible before the census is taken', async () => {
    setNow('2026-11-19T15:59:59Z');
    expect(await actOnDay(ruth, `${url}/sign`, { version: 1 })).toMatchObject({ status: 422, codes: ['NOT_YET_DUE'] });
  });

  it('CEN-3 CEN-R7 a transfer gap blocks it, but for words that stay on the day and in the log', async () => {
    const [toIcu, fromMed] = ['out', 'in'].map((direction) => ({
      unit_id: direction === 'out' ? icu.id : med.id,
      direction,
    }));
    const sides = [
      {
        unit: med,
        body: entry({ transfers_out: 3, counted: 21 }, { seed: 24, transfers: [{ ...toIcu, count: 3 }] as never }),
      },
      {
        unit: icu,
        body: entry({ transfers_in: 2, counted: 10 }, { seed: 8, transfers: [{ ...fromMed, count: 2 }] as never }),
      },
    ];
    for (const { unit, body } of sides) {
      const saved = await put(ana, { unit, date: DATE }, { ...body, submit: true });
      expect((await act(ruth, { unit, date: DATE }, ['approve', { version: saved.day.version }])).status).toBe(200);
    }
    const gap = ['Transfer gap 1: MED 3A, ICU'];
    expect((await getDay(ruth, place, DATE)).day.blockers.map(({ message }) => message)).toEqual(gap);
    const refused = await actOnDay(ruth, `${url}/sign`, { version: 1 });
    expect(refused).toMatchObject({ status: 422, codes: ['TRANSFER_UNRECONCILED'], messages: gap });
    const short = await actOnDay(ruth, `${url}/sign`, { version: 1, override_reason: ' no ' });
    expect(short.codes).toEqual(['TRANSFER_UNRECONCILED', 'REASON_REQUIRED']);
    const reason = 'Patient moved 23:58';
    const signed = await actOnDay(ruth, `${url}/sign`, { version: 1, override_reason: reason });
    expect(signed.day).toMatchObject({ status: 'approved', transfer_gap: 1, override_reason: reason });
    const log = await logOf(ward, place);
    expect(log.find(({ action }) => action === 'transfer.override')).toMatchObject({
      after: { transfer_gap: 1 },
      reason,
    });
  });

  it('CEN-3 CEN-R7 words that accept a gap are stored and logged only where there is one', async () => {
    await bothIn();
    const signed = await actOnDay(ruth, `${url}/sign`, { version: 1, override_reason: 'Patient moved 23:58' });
    expect(signed).toMatchObject({ status: 200, day: { status: 'approved', transfer_gap: 0, override_reason: null } });
    expect(await actionsOf(ward, place)).not.toContain('transfer.override');
    expect(JSON.stringify(await logOf(ward, place))).not.toContain('Patient moved');
  });

  it('CEN-3 CEN-R7 while one side has not handed in the missing report blocks it, and no gap is counted anywhere', async () => {
    const transfers = [{ unit_id: icu.id, direction: 'out', count: 8 }] as never;
    const body = entry({ transfers_out: 8, counted: 16 }, { seed: 24, transfers });
    await put(ana, { unit: med, date: DATE }, { ...body, submit: true });
    const { day } = await getDay(ruth, place, DATE);
    expect(day.blockers.map(({ message }) => message)).toEqual(['ICU report missing', 'MED 3A to approve']);
    expect(day.transfer_gap).toBe(0);
    expect(day.transfers).toMatchObject([{ out_count: 8, in_count: null, gap: 0 }]);
    expect(day.units.map(({ conditions }) => conditions.includes('unreconciled'))).toEqual([false, false]);
    expect(await storedGap()).toBe(0);
    await report(ana, { unit: icu, date: DATE }, { seed: 8 });
    const both = (await getDay(ruth, place, DATE)).day;
    expect(both.transfer_gap).toBe(8);
    expect(both.transfers).toMatchObject([{ out_count: 8, in_count: null, gap: 8 }]);
    expect(both.units.map(({ conditions }) => conditions.includes('unreconciled'))).toEqual([true, true]);
    expect(await storedGap()).toBe(8);
  });

  it('CEN-3 CEN-R17 a total that counts the ICU twice is named as that, a right one passes', async () => {
    await bothIn();
    const twice = await actOnDay(ruth, `${url}/sign`, { version: 1, total: 40 });
    expect(twice).toMatchObject({
      status: 422,
      codes: ['DOUBLE_COUNT'],
      messages: ['40 counts ICU twice: the units add up to 32, and its 8 are in that already.'],
    });
    expect((await actOnDay(ruth, `${url}/sign`, { version: 1, total: 33 })).codes).toEqual(['UNBALANCED']);
    expect((await actOnDay(ruth, `${url}/sign`, { version: 1, total: 32 })).status).toBe(200);
  });

  it('CEN-3 A48 CEN-R13 of two officers at the same moment one signs, the other is told, and the log has both', async () => {
    await bothIn();
    const paul = await ward.person(['censusOfficer'], [], place);
    const answers = await Promise.all([ruth, paul].map((officer) => actOnDay(officer, `${url}/sign`, { version: 1 })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.codes).toEqual(['VERSION_CONFLICT']);
    const said = (await actionsOf(ward, place)).filter((action) => action.startsWith('facility_day'));
    expect(said.sort()).toEqual(['facility_day.sign', 'facility_day.sign refused']);
  });

  it('CEN-3 A48 the same request twice is one signature, another one under its id is refused', async () => {
    await bothIn();
    const body = { version: 1, client_id: randomUUID() };
    const [one, two] = [await actOnDay(ruth, `${url}/sign`, body), await actOnDay(ruth, `${url}/sign`, body)];
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(two.day).toEqual(one.day);
    expect((await actionsOf(ward, place)).filter((action) => action === 'facility_day.sign')).toHaveLength(1);
    const other = await actOnDay(ruth, `${url}/sign`, { ...body, lock: true });
    expect(other).toMatchObject({ status: 409, body: { code: 'client_id_reused' } });
  });

  it('CEN-3 A46 a signature that cannot be written into the log is none', async () => {
    await bothIn();
    const { db } = ward.server;
    await sql`create function no_log() returns trigger language plpgsql as $$ begin
      if new.facility_no = ${sql.lit(place.facilityNo)} then raise exception 'no room'; end if; return new; end $$`.execute(
      db,
    );
    await sql`create trigger no_log before insert on census_log for each row execute function no_log()`.execute(db);
    try {
      expect((await actOnDay(ruth, `${url}/sign`, { version: 1, lock: true })).status).toBe(500);
      expect(await statusesOf()).toEqual(['approved', 'approved']);
      expect((await getDay(ruth, place, DATE)).day).toMatchObject({ status: 'open', version: 1 });
      expect(await auditOf(ward.server, 'census.facility_day.sign', ruth.id)).toEqual([]);
    } finally {
      await sql`drop trigger no_log on census_log`.execute(db);
      await sql`drop function no_log`.execute(db);
    }
  });

  it('CEN-3 A46 somebody without the right is refused, and the log says so', async () => {
    await bothIn();
    const refused = await actOnDay(ana, `${url}/sign`, { version: 1 });
    expect(refused.status).toBe(403);
    expect((await logOf(ward, place)).at(-1)).toMatchObject({
      action: 'facility_day.sign',
      outcome: 'refused',
      actor_id: ana.id,
      after: { refused: 'forbidden' },
    });
  });
});
