import { censusDateOf } from '@wardline/census/calendar.ts';
import type { CensusSettings } from '@wardline/contract/census/settings.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  act,
  type CensusFixture,
  type FixtureUnit,
  logOf,
  openCensusFixture,
  type Person,
  type Place,
  read,
  report,
  setNow,
} from '#/features/census/reports/testing/census-fixture.ts';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { auditOf } from '#/testing/test-client.ts';
import { daysOf, ticking } from '../clock/testing/ticking.ts';
import { actOnDay, approveAll, dayUrl, getDay } from '../day/testing/days.ts';

/** 08:00 on the 20th in Manila: the 19th is counted, the 20th is under way. */
const NOW = '2026-11-20T00:00:00Z';

let ward: CensusFixture;
let place: Place;
let med: FixtureUnit;
let ana: Person;
let ruth: Person;
beforeAll(async () => {
  setNow(NOW);
  ward = await openCensusFixture();
});
afterAll(() => ward.close());
beforeEach(async () => {
  setNow(NOW);
  place = await ward.elsewhere();
  med = await ward.unit('MED 3A', { staffed: 28 }, place);
  ana = await ward.person(['chargeNurse'], [med], place);
  ruth = await ward.person(['censusOfficer', 'facilityAdministrator'], [], place);
});

const url = () => `/api/census/facilities/${place.facility.id}/settings`;
const patch = async (body: object, to = url(), person = ruth) => {
  const response = await person.client.send('PATCH', to, { body: { version: await version(), ...body } });
  return {
    status: response.statusCode,
    body: response.json() as CensusSettings & { errors?: Record<string, string[]> },
  };
};
const patchUnit = (body: object) => patch(body, `${url()}/units/${med.id}`);
const version = async () => {
  const found = ward.server.db
    .selectFrom('census_facilities')
    .select('version')
    .where('facility_no', '=', place.facilityNo);
  return (await found.executeTakeFirstOrThrow()).version;
};
const changes = async () => (await logOf(ward, place)).filter(({ action }) => action === 'settings.change');
const signed = async (date = '2026-11-19') => {
  await approveAll({ nurse: ana, approver: ruth }, { units: [{ unit: med, seed: 20 }], date });
  await actOnDay(ruth, `${dayUrl(place, date)}/sign`, { version: 1, lock: true });
};

describe('the settings of a facility', () => {
  it('CEN-3 are read by those who open a census page and changed by those who may', async () => {
    const plain = await ward.person([], [], place);
    const stranger = await ward.person(['censusOfficer']);
    expect((await ana.client.send('GET', url())).json()).toMatchObject({
      time_zone: 'Asia/Manila',
      census_time: '00:00',
      bands: { target: 85, high: 92, full: 100 },
      split_permissions: [],
      units: [
        { unit_code: 'MED 3A', people: [{ id: ana.id }], beds: [{ population: 'adult_and_child', staffed: 28 }] },
      ],
      may: { configure: false },
    });
    expect((await plain.client.send('GET', url())).statusCode).toBe(403);
    expect((await stranger.client.send('GET', url())).statusCode).toBe(404);
    expect((await patch({ four_eyes: false }, url(), ana)).status).toBe(403);
    expect((await patch({ four_eyes: false }, url(), stranger)).status).toBe(404);
    expect((await changes()).map(({ outcome }) => outcome)).toEqual(['refused']);
  });

  it('F-N5 PERM-2 the summary’s permission reads them and does not change them; census.configure does', async () => {
    const officer = await ward.person(['censusOfficer', 'houseSupervisor'], [], place);
    const admin = await ward.person(['facilityAdministrator'], [], place);
    expect((await officer.client.send('GET', url())).json()).toMatchObject({ may: { configure: false } });
    expect((await patch({ four_eyes: false }, url(), officer)).status).toBe(403);
    expect((await changes()).at(-1)).toMatchObject({ outcome: 'refused', actor_id: officer.id });
    expect((await patch({ boarding_hours: 6 }, url(), admin)).status).toBe(200);
    expect((await patch({ split_permissions: ['census.configure'] }, url(), admin)).status).toBe(422);
  });

  it('F-N5 CEN-R18 four eyes that are switched off hold for every day that has begun, whoever switched', async () => {
    const owen = await ward.person(['houseSupervisor', 'facilityAdministrator'], [med], place);
    const own = (date: string) => ({ unit: med, date });
    await report(owen, own('2026-11-19'), { seed: 20 });
    expect((await patch({ four_eyes: false }, url(), owen)).status).toBe(200);
    const approve = (date: string) => act(owen, own(date), ['approve', { version: 1 }]);
    expect(await approve('2026-11-19')).toMatchObject({ status: 422, codes: ['SELF_APPROVAL'] });
    expect((await read(owen, own('2026-11-19'))).may.approve).toBe(false);
    setNow('2026-11-20T16:00:00Z');
    await report(owen, own('2026-11-20'));
    expect((await approve('2026-11-20')).codes).toEqual(['SELF_APPROVAL']);
    setNow('2026-11-21T16:00:00Z');
    await report(owen, own('2026-11-21'));
    expect((await approve('2026-11-21')).day.status).toBe('approved');
    expect((await changes()).at(-1)).toMatchObject({
      before: { four_eyes: true },
      after: { four_eyes: false, from: '2026-11-21' },
      actor_id: owen.id,
    });
  });

  it('F-N16 a facility says how it writes times and dates, and every text of it follows at once', async () => {
    const mine = async () =>
      (await ana.client.send('GET', '/api/facilities'))
        .json()
        .data.find(({ id }: Facility) => id === place.facility.id);
    expect(await mine()).toMatchObject({ hour_cycle: 'h23', date_order: 'dmy' });
    expect((await patch({ hour_cycle: 'h12' })).body).toMatchObject({ hour_cycle: 'h12', date_order: 'dmy' });
    expect((await patch({ date_order: 'mdy' })).body).toMatchObject({ hour_cycle: 'h12', date_order: 'mdy' });
    expect(await mine()).toMatchObject({ hour_cycle: 'h12', date_order: 'mdy' });
    expect((await changes()).map(({ before, after }) => [before, after])).toEqual([
      [{ hour_cycle: 'h23' }, { hour_cycle: 'h12' }],
      [{ date_order: 'dmy' }, { date_order: 'mdy' }],
    ]);
    await patch({ census_time: '19:30' });
    const told = await sql<{ body: string }>`
      select body from messages where body like 'changed the rules of the census%'`.execute(ward.server.db);
    expect(told.rows.at(-1)?.body).toMatch(/from [A-Z][a-z]{2} Nov \d+ on: census hour 12:00 AM → 7:30 PM\./);
    expect((await patch({ hour_cycle: 'h11' })).status).toBe(422);
    expect((await patch({ date_order: 'ymd' }, url(), ana)).status).toBe(422);
  });

  it('F-N5 another deadline of signing or locking counts from the next census date on', async () => {
    await signed('2026-11-19');
    await patch({ sign_off_time: '09:30', lock_after_days: 3 });
    const times = async (date: string) => {
      const { day } = await getDay(ruth, place, date);
      return [day.sign_off_due_at, day.locks_at];
    };
    expect(await times('2026-11-20')).toEqual(['2026-11-21T03:00:00.000Z', '2026-12-04T16:00:00.000Z']);
    expect(await times('2026-11-21')).toEqual(['2026-11-22T01:30:00.000Z', '2026-11-24T16:00:00.000Z']);
  });

  it('F-N5 what holds from when on is told to everybody who works with the census, in a chat, and other settings are not', async () => {
    await ward.person(['facilityAdministrator'], [], place);
    const stranger = await ward.person(['censusOfficer']);
    await patch({ boarding_hours: 6 });
    const chatsOf = async (person: Person): Promise<{ id: string; title: string | null }[]> =>
      (await person.client.send('GET', `/api/facilities/${place.facility.id}/chats`)).json().data ?? [];
    expect(await chatsOf(ana)).toEqual([]);
    await patch({ four_eyes: false, grace_minutes: 90 });
    const [told] = await chatsOf(ana);
    expect(told?.title).toBe('Census rules from Sat 21 Nov');
    const { data } = (await ana.client.send('GET', `/api/chats/${told?.id}/messages`)).json();
    expect(data.map(({ body }: { body: string }) => body).join()).toContain(
      'changed the rules of the census from Sat 21 Nov on: grace in minutes 60 → 90; four eyes on → off. Earlier days keep theirs.',
    );
    expect(await chatsOf(stranger)).toEqual([]);
  });

  it('CEN-3 are changed in one facility, and in no other of the same person', async () => {
    const { facility, facilityNo } = await ward.elsewhere();
    await makeMembership(ward.server.db, { userId: ruth.id, facility, roles: ['facilityAdministrator'] });
    await patch({ grace_minutes: 90, version: 1 }, `/api/census/facilities/${facility.id}/settings`);
    const elsewhere = async () => {
      const found = await sql`
        select c.*, (select json_agg(h order by from_date) from census_hours h where h.facility_no = c.facility_no) as hours
        from census_facilities c where facility_no = ${facilityNo}`.execute(ward.server.db);
      return found.rows;
    };
    const before = await elsewhere();
    expect((await patch({ grace_minutes: 30, bands: { target: 80, high: 92, full: 100 } })).status).toBe(200);
    expect(await elsewhere()).toEqual(before);
  });

  it('CEN-3 A46 write only what changed into the log and the audit', async () => {
    const answer = await patch({ four_eyes: false, lock_after_days: 14, bands: { target: 80, high: 92, full: 100 } });
    expect(answer.body).toMatchObject({ version: 2, four_eyes: false, bands: { target: 80 } });
    expect(await changes()).toMatchObject([
      { before: { four_eyes: true, target_percent: 85 }, after: { four_eyes: false, target_percent: 80 } },
    ]);
    expect(Object.keys((await changes())[0]?.after ?? {}).sort()).toEqual(['four_eyes', 'from', 'target_percent']);
    const audits = await auditOf(ward.server, 'census.settings.change', ruth.id);
    expect(audits).toMatchObject([{ facility_id: place.facility.id }]);
    expect((await patch({ four_eyes: false })).body.version).toBe(2);
    expect(await changes()).toHaveLength(1);
  });

  it('CEN-3 of one facility leave another one, where the same person works, as it is', async () => {
    const { facility, facilityNo } = await ward.elsewhere();
    const { db } = ward.server;
    await makeMembership(db, { facility, userId: ruth.id, roles: ['facilityAdministrator'] });
    const others = async () => [
      await db.selectFrom('facilities').selectAll().where('id', '=', facility.id).execute(),
      await db.selectFrom('census_facilities').selectAll().where('facility_no', '=', facilityNo).execute(),
    ];
    const before = await others();
    const everything = {
      hour_cycle: 'h12',
      date_order: 'mdy',
      time_zone: 'Asia/Tokyo',
      census_time: '19:30',
      boarding_hours: 6,
    };
    expect((await patch({ ...everything, bands: { target: 80, high: 92, full: 100 }, four_eyes: false })).status).toBe(
      200,
    );
    expect(await others()).toEqual(before);
  });

  it('CEN-3 A48 CEN-R13 of a version that is gone are refused', async () => {
    await patch({ four_eyes: false });
    const stale = await patch({ version: 1, four_eyes: true });
    expect(stale).toMatchObject({ status: 409, body: { code: 'conflict', findings: [{ code: 'VERSION_CONFLICT' }] } });
    const both = await Promise.all([3, 4].map((days) => patch({ version: 2, lock_after_days: days })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('CEN-3 that contradict themselves are refused', async () => {
    expect((await patch({ bands: { target: 95, high: 92, full: 100 } })).body.errors).toEqual({
      bands: ['The target is at most high, and high is at most full.'],
    });
    for (const time_zone of ['Mars/Olympus', 'posixrules', '+08:00', "' or 1=1"]) {
      expect((await patch({ time_zone })).body.errors, time_zone).toEqual({ time_zone: ['This is not a time zone.'] });
    }
    expect(await changes()).toEqual([]);
  });

  it('CEN-3 A48 another hour counts from the next census date on; days that were made keep theirs', async () => {
    const clock = ticking(ward);
    await clock.at('2026-11-20T15:30:00Z');
    setNow('2026-11-20T15:30:00Z');
    expect((await patch({ census_time: '07:00', grace_minutes: 30 })).body).toMatchObject({ census_time: '07:00' });
    expect((await changes())[0]?.after).toEqual({ census_time: '07:00', grace_minutes: 30, from: '2026-11-21' });
    expect((await ana.client.send('GET', url())).json()).toMatchObject({
      clock_from: '2026-11-21',
      clock_fixed: { census_date: '2026-11-20', census_at: '2026-11-20T16:00:00.000Z' },
    });
    expect((await patch({ grace_minutes: 45 })).body.clock_from).toBe('2026-11-21');
    await clock.at('2026-11-21T22:30:00Z');
    expect(
      (await daysOf(ward, place)).map(({ census_date, census_at }) => [census_date, census_at.toISOString()]),
    ).toEqual([
      ['2026-11-19', '2026-11-19T16:00:00.000Z'],
      ['2026-11-20', '2026-11-20T16:00:00.000Z'],
      ['2026-11-21', '2026-11-20T23:00:00.000Z'],
      ['2026-11-22', '2026-11-21T23:00:00.000Z'],
    ]);
  });

  it('CEN-3 A48 another zone counts from the first date whose count comes after the last one of the old', async () => {
    await patch({ time_zone: 'Pacific/Kiritimati' });
    // The 20th ends in Manila at 16:00 UTC; on Kiritimati the 21st ends before that has passed by a day.
    expect((await changes())[0]?.after).toEqual({ time_zone: 'Pacific/Kiritimati', from: '2026-11-21' });
    const hours = await sql`select from_date, time_zone from census_hours where facility_no = ${place.facilityNo}
      order by from_date`.execute(ward.server.db);
    expect(hours.rows).toEqual([
      { from_date: '1900-01-01', time_zone: 'Asia/Manila' },
      { from_date: '2026-11-21', time_zone: 'Pacific/Kiritimati' },
    ]);
    await patch({ time_zone: 'Asia/Tokyo' });
    const { rows } = await sql`select time_zone from census_hours where facility_no = ${place.facilityNo}
      order by from_date`.execute(ward.server.db);
    expect(rows).toEqual([{ time_zone: 'Asia/Manila' }, { time_zone: 'Asia/Tokyo' }]);
  });

  it('PERM-3 acts are split off once each', async () => {
    const split = ['census.approve', 'census.reopen'];
    expect((await patch({ split_permissions: [...split, 'census.approve'] })).body.split_permissions).toEqual(split);
    const before = await changes();
    expect((await patch({ split_permissions: split.toReversed() })).body.split_permissions).toEqual(split);
    expect(await changes(), 'the same in another order is no change').toEqual(before);
  });
});

describe('the settings of a unit', () => {
  it('CEN-3 beds change from a date on, up to what is planned later', async () => {
    const beds = { population: 'adult_and_child', licensed: 30, physical: 30, surge: 0 };
    await patchUnit({ beds: { ...beds, from: '2026-12-01', staffed: 20 } });
    const { body } = await patchUnit({
      beds: { ...beds, from: '2026-11-25', staffed: 24, reason: 'Two nurses short' },
    });
    expect(body.units[0]?.beds.map(({ from, staffed, reason }) => [from, staffed, reason])).toEqual([
      ['1900-01-01', 28, null],
      ['2026-11-25', 24, 'Two nurses short'],
      ['2026-12-01', 20, null],
    ]);
    const valid = await sql`select valid::text from bed_complements where unit_no = ${med.no} order by valid`.execute(
      ward.server.db,
    );
    expect(valid.rows).toEqual([
      { valid: '(,2026-11-25)' },
      { valid: '[2026-11-25,2026-12-01)' },
      { valid: '[2026-12-01,)' },
    ]);
    await patchUnit({ beds: { ...beds, from: '2026-11-25', staffed: 25 } });
    expect((await changes()).at(-1)).toMatchObject({
      before: { beds: { staffed: 24 } },
      after: { beds: { from: '2026-11-25', staffed: 25 } },
    });
    // What holds by then already is no change.
    const count = (await changes()).length;
    await patchUnit({ beds: { ...beds, from: '2026-12-05', staffed: 20 } });
    expect(await changes()).toHaveLength(count);
  });

  /** Whatever the day is on which this runs. */
  const year = new Date().getFullYear();

  it('CEN-3 planned beds are taken back before they hold: those before them go on, and the log says it', async () => {
    const beds = { population: 'adult_and_child', licensed: 30, physical: 30, surge: 0 };
    const remove = (from: string) => patchUnit({ remove_beds: { population: 'adult_and_child', from } });
    await patchUnit({ beds: { ...beds, from: `${year + 1}-01-01`, staffed: 20 } });
    await patchUnit({ beds: { ...beds, from: `${year + 2}-01-01`, staffed: 22 } });
    const { status, body } = await remove(`${year + 1}-01-01`);
    expect(status).toBe(200);
    expect(body.units[0]?.beds.map(({ from, staffed }) => [from, staffed])).toEqual([
      ['1900-01-01', 28],
      [`${year + 2}-01-01`, 22],
    ]);
    const valid = await sql`select valid::text from bed_complements where unit_no = ${med.no} order by valid`.execute(
      ward.server.db,
    );
    expect(valid.rows).toEqual([{ valid: `(,${year + 2}-01-01)` }, { valid: `[${year + 2}-01-01,)` }]);
    expect((await changes()).at(-1)).toMatchObject({
      before: { beds: { from: `${year + 1}-01-01`, staffed: 20 } },
      after: { beds: { from: '1900-01-01', staffed: 28 } },
    });
    expect((await remove(`${year + 1}-01-01`)).body.errors).toEqual({
      remove_beds: ['These beds are not planned any more.'],
    });
    expect((await remove('1900-01-01')).body.errors).toEqual({
      remove_beds: ['These beds hold already: say from when others do.'],
    });
    await remove(`${year + 2}-01-01`);
    const left = await sql`select valid::text from bed_complements where unit_no = ${med.no}`.execute(ward.server.db);
    expect(left.rows).toEqual([{ valid: '(,)' }]);
  });

  it('CEN-3 a date that nobody means is refused: of beds, and of the first and the last day of a unit', async () => {
    const beds = { population: 'adult_and_child', licensed: 30, physical: 30, staffed: 20, surge: 0 };
    const said = [`Choose a date from ${year - 20} to ${year + 5}.`];
    for (const from of ['9999-12-31', `${year - 22}-12-31`, `${year + 7}-01-01`])
      expect((await patchUnit({ beds: { ...beds, from } })).body.errors).toEqual({ 'beds.from': said });
    for (const field of ['active_from', 'active_to'])
      expect((await patchUnit({ [field]: '9999-12-31' })).body.errors).toEqual({ [field]: said });
  });

  it('CEN-3 beds of signed days stay as they are', async () => {
    await signed();
    const beds = { population: 'adult_and_child', licensed: 30, physical: 30, staffed: 20, surge: 0 };
    expect((await patchUnit({ beds: { ...beds, from: '2026-11-19' } })).body.errors).toEqual({
      'beds.from': ['The beds of signed days can’t change: begin after Thu 19 Nov.'],
    });
    expect((await patchUnit({ beds: { ...beds, from: '2026-11-20' } })).status).toBe(200);
  });

  it('CEN-3 beds that cannot be are refused', async () => {
    const beds = {
      population: 'adult_and_child',
      from: '2026-12-01',
      licensed: 30,
      physical: 30,
      staffed: 20,
      surge: 0,
    };
    const refused = async (more: object) =>
      Object.keys((await patchUnit({ beds: { ...beds, ...more } })).body.errors ?? {});
    expect(await refused({ staffed: 31 })).toEqual(['beds.staffed']);
    expect(await refused({ population: 'newborn' })).toEqual(['beds.population']);
    expect(await refused({ from: '0001-01-01' })).toEqual(['beds.from']);
  });

  it('CEN-3 A16 only members report for a unit', async () => {
    const stranger = await ward.person(['chargeNurse']);
    expect((await patchUnit({ people: [ana.id, stranger.id] })).body.errors).toEqual({
      people: ['Everybody who reports must be a member of the facility.'],
    });
    // In another order, or twice, they are the same people.
    await patchUnit({ people: [ana.id, ruth.id] });
    const count = (await changes()).length;
    for (const people of [
      [ruth.id, ana.id],
      [ana.id, ruth.id, ana.id],
    ])
      await patchUnit({ people });
    expect(await changes()).toHaveLength(count);
    await patchUnit({ people: [ana.id] });
    const { body } = await patchUnit({ people: [ruth.id] });
    expect(body.units[0]?.people).toMatchObject([{ id: ruth.id, name: ruth.name }]);
    expect((await changes()).at(-1)).toMatchObject({
      before: { people: [{ id: ana.id, name: ana.name }] },
      after: { people: [{ id: ruth.id, name: ruth.name }] },
    });
  });

  it('CEN-1 PERM-3 says who of them may report: by a role of theirs, and while their account is in use', async () => {
    const [plain, away] = [
      await ward.person(['clinician'], [med], place),
      await ward.person(['chargeNurse'], [med], place),
    ];
    await ward.server.db.updateTable('users').set({ disabled_at: NOW }).where('id', '=', away.id).execute();
    const [unit] = (await ruth.client.send('GET', url())).json<CensusSettings>().units;
    const may = Object.fromEntries(unit?.people.map(({ id, may_report }) => [id, may_report]) ?? []);
    expect(may).toEqual({ [ana.id]: true, [plain.id]: false, [away.id]: false });
  });

  it('CEN-3 what a unit has reported stays expected of it', async () => {
    await report(ana, { unit: med, date: '2026-11-19' }, { seed: 20 });
    const refused = async (body: object) => (await patchUnit(body)).body.errors;
    expect(await refused({ populations: ['newborn'] })).toEqual({
      populations: ['The unit has reports of this population, so it can’t be removed.'],
    });
    expect(await refused({ counts_in_census: false })).toEqual({
      counts_in_census: ['The unit has reported. Close it with a last day instead.'],
    });
    expect(await refused({ active_from: '2026-11-20' })).toEqual({
      active_from: ['The unit has a report of Thu 19 Nov.'],
    });
    expect(await refused({ active_to: '2026-11-18' })).toEqual({ active_to: ['The unit has a report of Thu 19 Nov.'] });
    expect(await refused({ active_from: '2026-11-20', active_to: '2026-11-19' })).toEqual({
      active_to: ['The unit closes before it opens.'],
    });
    expect((await patchUnit({ active_to: '2026-11-30' })).body.units[0]).toMatchObject({ active_to: '2026-11-30' });
  });

  it('CEN-3 a unit closes on no day that it has reported with patients in it; a day to come is planned ahead', async () => {
    await report(ana, { unit: med, date: '2026-11-18' }, { seed: 17 });
    const last = (active_to: string) => patchUnit({ active_to });
    expect((await last('2026-11-18')).body.errors).toEqual({
      active_to: ['The unit has 17 patients at the end of Wed 18 Nov. Correct that report, or choose a later day.'],
    });
    expect((await last('2026-11-30')).status).toBe(200);
    await report(ana, { unit: med, date: '2026-11-19' }, { counts: { discharges: 17 } });
    expect((await last('2026-11-19')).status).toBe(200);
  });

  it('CEN-3 a day that is not signed expects no report of a unit that closed before it', async () => {
    const closing = await ward.unit('OLD', {}, place);
    await report(ana, { unit: med, date: '2026-11-19' }, { seed: 20 });
    const expected = async () => {
      const days = ward.server.db.selectFrom('facility_days').select('units_expected');
      const day = days.where('facility_no', '=', place.facilityNo).where('census_date', '=', '2026-11-19');
      return (await day.executeTakeFirstOrThrow()).units_expected;
    };
    expect(await expected()).toBe(2);
    expect((await patch({ active_to: '2026-11-18' }, `${url()}/units/${closing.id}`)).status).toBe(200);
    expect(await expected()).toBe(1);
  });

  it('CEN-6 the first day that a unit reports settles whether it counts in occupancy where that day is signed', async () => {
    await signed();
    expect((await patchUnit({ counts_in_occupancy: false })).body.errors).toEqual({
      counts_in_occupancy: ['Signed days hold its reports. Close the unit with a last day instead.'],
    });
  });

  it('CEN-6 a unit that has reported on no signed day may still count in occupancy or not', async () => {
    await signed();
    const late = await ward.unit('NEW', {}, place);
    const change = (counts_in_occupancy: boolean) => patch({ counts_in_occupancy }, `${url()}/units/${late.id}`);
    expect((await change(false)).status).toBe(200);
    expect((await change(true)).status).toBe(200);
  });

  it('CEN-6 CEN-3 whether a unit counts in occupancy is settled with its first signed day: figures that were signed stay', async () => {
    const sumsOf = async () => {
      const query = 'from=2026-11-01&to=2026-11-30';
      const found = await ruth.client.send('GET', `/api/census/facilities/${place.facility.id}/summary?${query}`);
      const { total, units } = found.json();
      const { occupancy_service_days: occupied, bed_days: beds } = total.adult_and_child;
      return { occupied, beds, ofUnit: units[0].sums.bed_days };
    };
    await report(ana, { unit: med, date: '2026-11-18' }, { seed: 20 });
    setNow('2026-12-02T00:00:00Z');
    expect(await sumsOf()).toEqual({ occupied: 20, beds: 28, ofUnit: 28 });
    expect((await patchUnit({ counts_in_occupancy: false })).status).toBe(200);
    expect(await sumsOf()).toEqual({ occupied: 0, beds: 0, ofUnit: 0 });
    expect((await patchUnit({ counts_in_occupancy: true })).status).toBe(200);
    setNow(NOW);
    await signed();
    expect((await patchUnit({ counts_in_occupancy: false })).body.errors).toEqual({
      counts_in_occupancy: ['Signed days hold its reports. Close the unit with a last day instead.'],
    });
    expect((await patchUnit({ counts_in_occupancy: true, hsloc: '1061-1' })).status).toBe(200);
    setNow('2026-12-02T00:00:00Z');
    expect(await sumsOf()).toEqual({ occupied: 40, beds: 56, ofUnit: 56 });
  });

  it('CEN-3 3.4 a population that is added is expected from the date under way on: what was complete stays complete', async () => {
    await signed('2026-11-18');
    await report(ana, { unit: med, date: '2026-11-19' });
    expect((await patchUnit({ populations: ['newborn', 'adult_and_child'] })).status).toBe(200);
    expect((await changes()).at(-1)?.after).toEqual({
      populations: ['adult_and_child', 'newborn'],
      from: '2026-11-20',
    });
    await ticking(ward).at('2026-11-20T16:00:00Z');
    expect((await daysOf(ward, place)).map(({ census_date, units_expected }) => [census_date, units_expected])).toEqual(
      [
        ['2026-11-18', 1],
        ['2026-11-19', 1],
        ['2026-11-20', 2],
      ],
    );
    const { day } = await getDay(ruth, place, '2026-11-19');
    expect(day.blockers.map(({ message }) => message)).toEqual(['MED 3A to approve']);
    setNow('2026-11-20T16:00:00Z');
    const base = `/api/census/facilities/${place.facility.id}`;
    const summary = await ruth.client.send('GET', `${base}/summary?from=2026-11-18&to=2026-11-20&by=day`);
    const expectedOf = (step: { sums: Record<string, { units_expected: number }> }) =>
      Object.values(step.sums).map(({ units_expected }) => units_expected);
    expect(summary.json().steps.map(expectedOf)).toEqual([
      [1, 0],
      [1, 0],
      [1, 1],
    ]);
    const heatmap = await ruth.client.send('GET', `${base}/heatmap?from=2026-11-18&to=2026-11-20`);
    expect(heatmap.json().units.map(({ marks }: { marks: string }) => marks)).toEqual(['lsm', '--m']);
    const owed = await ana.client.send('GET', '/api/census/owed');
    expect(
      owed
        .json()
        .data.map((one: { census_date: string; population: string }) => `${one.census_date} ${one.population}`)
        .sort(),
    ).toEqual(['2026-11-20 adult_and_child', '2026-11-20 newborn']);
  });

  it('CEN-3 3.4 a population that is added while another census hour is planned begins by the clock that holds', async () => {
    const { db } = ward.server;
    await db
      .updateTable('census_hours')
      .set({ census_time: '07:00' })
      .where('facility_no', '=', place.facilityNo)
      .execute();
    expect((await patch({ census_time: '00:00' })).status).toBe(200);
    expect((await patchUnit({ populations: ['newborn', 'adult_and_child'] })).status).toBe(200);
    const [from] = await db.selectFrom('census_units').select('newborn_from').where('unit_id', '=', med.id).execute();
    // At eight what was under way until seven is counted.
    expect(from?.newborn_from).toBe('2026-11-21');
  });

  it('CEN-3 3.4 CEN-R11 a unit that is made now is expected from the date under way on, on the facility’s clock', async () => {
    const { db } = ward.server;
    const firstDay = async (zone: string, time: string) => {
      const there = await ward.elsewhere(zone);
      await sql`update census_hours set census_time = ${time} where facility_no = ${there.facilityNo}`.execute(db);
      await sql`
        insert into units (id, facility_id, name, code, kind, position)
        values (gen_random_uuid(), ${there.facility.id}, 'New', 'NEW', 'ward', 0)`.execute(db);
      const found = await sql<{ first: string; now: Date }>`
        select lower(active) as first, now() as now from census_units where facility_no = ${there.facilityNo}`.execute(
        db,
      );
      const [row] = found.rows;
      if (!row) throw new Error('the unit takes no census');
      return [row.first, censusDateOf(row.now, { time_zone: zone, census_time: time })];
    };
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Manila']) {
      for (const time of ['00:00', '07:00', '23:59']) {
        const [first, running] = await firstDay(zone, time);
        expect(first, `${zone} ${time}`).toBe(running);
      }
    }
  });

  it('CEN-3 a unit is not opened for days that are signed without it', async () => {
    const late = await ward.unit('NEW', { active: '[2026-12-01,)' }, place);
    await signed();
    const to = `${url()}/units/${late.id}`;
    expect((await patch({ active_from: '2026-11-01' }, to)).body.errors).toEqual({
      active_from: ['Days up to Thu 19 Nov are signed without the unit.'],
    });
    expect((await patch({ active_from: '2026-11-20' }, to)).status).toBe(200);
  });

  it('CEN-3 a unit that closed before signed days cannot close later, but may close earlier', async () => {
    const closed = await ward.unit('OLD', { active: '[,2026-11-10)' }, place);
    await signed();
    const to = `${url()}/units/${closed.id}`;
    for (const active_to of ['2026-11-10', null]) {
      expect((await patch({ active_to }, to)).body.errors).toEqual({
        active_to: ['Days up to Thu 19 Nov are signed without the unit.'],
      });
    }
    expect((await patch({ active_to: '2026-11-08' }, to)).status).toBe(200);
  });

  it('CEN-3 3.4 a unit that begins to count is not expected of days that are signed without it', async () => {
    const store = await ward.unit('STORE', {}, place);
    const to = `${url()}/units/${store.id}`;
    expect((await patch({ counts_in_census: false }, to)).status).toBe(200);
    await signed();
    expect((await patch({ counts_in_census: true }, to)).body.errors).toEqual({
      active_from: ['Days up to Thu 19 Nov are signed without the unit.'],
    });
    expect((await patch({ counts_in_census: true, active_from: '2026-11-20' }, to)).status).toBe(200);
  });

  it('CEN-3 A16 a unit of another facility is none', async () => {
    const theirs = await ward.unit(`X${Date.now() % 1000}`);
    expect((await patch({ hsloc: '1061-1' }, `${url()}/units/${theirs.id}`)).status).toBe(404);
  });
});
