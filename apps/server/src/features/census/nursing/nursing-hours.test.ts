import { randomUUID } from 'node:crypto';
import { datesFrom } from '@wardline/census/calendar.ts';
import type { NursingMonth } from '@wardline/contract/census/nursing.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type CensusFixture,
  type FixtureUnit,
  logOf,
  openCensusFixture,
  type Person,
  type Place,
  setNow,
} from '#/features/census/reports/testing/census-fixture.ts';
import { whileItWaits } from '#/features/census/testing/while-it-waits.ts';
import { makeUnitDays } from '#/testing/factories/census.ts';
import { auditOf } from '#/testing/test-client.ts';

/** 08:00 on 1 November in Manila: October has ended, November is under way. */
const NOW = '2026-11-01T00:00:00Z';

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
  place = await ward.elsewhere();
  med = await ward.unit('MED 3A', {}, place);
  ana = await ward.person(['chargeNurse'], [med], place);
  ruth = await ward.person(['censusOfficer'], [], place);
});

const entry = (more: object = {}) => ({
  client_id: randomUUID(),
  version: 0,
  rn_hours: '3120.25',
  other_hours: '940',
  ...more,
});

async function send(person: Person, method: 'GET' | 'PUT', { month = '2026-10', body }: Asked = {}) {
  const response = await person.client.send(method, `/api/census/units/${med.id}/nursing-hours/${month}`, { body });
  return { status: response.statusCode, body: response.json() };
}
interface Asked {
  readonly month?: string;
  readonly body?: object;
}
const put = (person: Person, more: object = {}, month = '2026-10') => send(person, 'PUT', { month, body: entry(more) });
const list = async (person: Person, month = '2026-10') => {
  const url = `/api/census/facilities/${place.facility.id}/nursing-hours/${month}`;
  const response = await person.client.send('GET', url);
  return { status: response.statusCode, units: (response.json().units ?? []) as NursingMonth[] };
};
const said = async () => (await logOf(ward, place)).filter(({ action }) => action === 'nursing_hours.save');

describe('nursing hours', () => {
  it('CEN-6 of a month are kept to the hundredth, beside the patient days of its reports, with a log entry and an audit', async () => {
    const days = datesFrom('2026-10-01', '2026-10-30').map((date) => ({ date, opening: 20 }));
    await makeUnitDays(ward.server.db, { unitId: med.id, by: ana.id, days });
    expect((await send(ruth, 'GET')).body).toMatchObject({ version: 0, rn_hours: null, entered_by: null });
    const first = await put(ruth, { note: '  With the agency. ' });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      unit_id: med.id,
      unit_code: 'MED 3A',
      unit_name: 'Ward MED 3A',
      month: '2026-10',
      version: 1,
      rn_hours: '3120.25',
      other_hours: '940.00',
      note: 'With the agency.',
      patient_days: 600,
      reports: 30,
      reports_expected: 31,
      entered_at: NOW.replace('Z', '.000Z'),
      entered_by: { id: ruth.id, name: ruth.name },
    });
    const second = await put(ana, { version: 1, rn_hours: '3120.5', other_hours: null });
    expect(second.body).toMatchObject({ version: 2, rn_hours: '3120.50', other_hours: null, note: 'With the agency.' });
    expect((await send(ana, 'GET')).body).toEqual(second.body);
    expect(await said()).toMatchObject([
      {
        actor_id: ruth.id,
        unit_id: med.id,
        before: null,
        after: { month: '2026-10', rn_hours: '3120.25', other_hours: '940.00', note: 'With the agency.' },
      },
      {
        actor_id: ana.id,
        before: { month: '2026-10', rn_hours: '3120.25', other_hours: '940.00' },
        after: { month: '2026-10', rn_hours: '3120.50', other_hours: null },
      },
    ]);
    const [audit] = await auditOf(ward.server, 'census.nursing_hours.save', ruth.id);
    expect(audit).toMatchObject({
      ...{ facility_id: place.facility.id, object_type: 'unit', object_id: med.id },
      detail: { month: '2026-10', version: 1 },
    });
    expect(JSON.stringify(audit?.detail)).not.toContain('agency');
  });

  it('CEN-2 CEN-6 sent twice are stored once, and what changes nothing is no version', async () => {
    const body = entry();
    const first = await send(ruth, 'PUT', { body });
    expect(await send(ruth, 'PUT', { body })).toEqual(first);
    expect((await put(ruth, { version: 1 })).body.version).toBe(1);
    expect(await said()).toHaveLength(1);
    const reused = await send(ruth, 'PUT', { body: { ...body, rn_hours: '1' } });
    expect(reused).toMatchObject({ status: 409, body: { code: 'client_id_reused' } });
  });

  it('CEN-6 A48 CEN-R13 of a version that is gone are refused, which the log keeps', async () => {
    await put(ruth);
    const stale = await put(ana, { rn_hours: '1' });
    expect(stale).toMatchObject({
      status: 409,
      body: {
        code: 'conflict',
        message: 'The nursing hours of MED 3A are at version 1 now; this was made from version 0.',
        findings: [{ code: 'VERSION_CONFLICT' }],
      },
    });
    expect((await said()).at(-1)).toMatchObject({ outcome: 'refused', actor_id: ana.id });
    const both = await Promise.all([ana, ruth].map((one) => put(one, { version: 1, rn_hours: '7' })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await send(ana, 'GET')).body).toMatchObject({ version: 2, rn_hours: '7.00' });
  });

  it.each([
    ['more than there can be', { rn_hours: '250000.01' }, 'rn_hours'],
    ['below nothing', { rn_hours: '-1' }, 'rn_hours'],
    ['in thousandths', { other_hours: '1.005' }, 'other_hours'],
    ['as a number', { rn_hours: 3120.25 }, 'rn_hours'],
    ['in words', { rn_hours: 'NaN' }, 'rn_hours'],
    ['with a note that cannot be stored', { note: 'a\u0000b' }, 'note'],
    ['without one of the two', { other_hours: undefined }, 'other_hours'],
  ])('CEN-6 SEC-2 %s are refused at their field', async (_, more, field) => {
    const { status, body } = await put(ruth, more);
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual([field]);
    expect(await said()).toEqual([]);
  });

  it('CEN-6 of a month that has not ended, or that is none, are refused', async () => {
    expect(await put(ruth, {}, '2026-11')).toMatchObject({
      status: 422,
      body: { message: 'November 2026 has not ended. Its hours can be entered after its last day.' },
    });
    expect(await put(ruth, {}, '2026-13')).toMatchObject({
      status: 422,
      body: { findings: [{ code: 'NO_SUCH_DATE' }] },
    });
    expect(await put(ruth, {}, '2024-02')).toMatchObject({ status: 200, body: { month: '2024-02' } });
  });

  it('CEN-6 are not of a unit without beds of its own, nor of one that was closed in the month', async () => {
    const { db } = ward.server;
    await sql`update census_units set counts_in_occupancy = false where unit_no = ${med.no}`.execute(db);
    expect(await put(ruth)).toMatchObject({
      status: 422,
      body: { message: 'MED 3A has no inpatients in beds of its own in this month.' },
    });
    expect((await list(ruth)).units).toEqual([]);
    await sql`update census_units set counts_in_occupancy = true, active = '[2026-11-01,)' where unit_no = ${med.no}`.execute(
      db,
    );
    expect((await put(ruth)).status).toBe(422);
    await sql`update census_units set active = '[2026-10-11,)' where unit_no = ${med.no}`.execute(db);
    expect((await put(ruth)).body).toMatchObject({ reports_expected: 21 });
  });

  it('CEN-6 A16 are told by who compiles the facility and by who reports for the unit, and by nobody else', async () => {
    const kofi = await ward.person(['chargeNurse'], [], place);
    const leaver = await ward.person(['clinician'], [med], place);
    for (const person of [kofi, leaver]) {
      expect((await put(person)).status).toBe(403);
      expect((await send(person, 'GET')).status).toBe(403);
    }
    expect(await said()).toMatchObject([{ outcome: 'refused' }, { outcome: 'refused' }]);
    const stranger = await ward.person(['censusOfficer'], [], await ward.elsewhere());
    expect((await put(stranger)).status).toBe(404);
    expect((await send(stranger, 'GET')).status).toBe(404);
    expect((await list(stranger)).status).toBe(404);
  });

  it('CEN-6 A16 A48 of who reports for the unit no more by the time that their turn has come are refused', async () => {
    const answer = await whileItWaits({
      ...{ db: ward.server.db, facilityNo: place.facilityNo },
      act: () => put(ana),
      change: (tx) => tx.deleteFrom('census_assignments').where('user_id', '=', ana.id).execute(),
    });
    expect([answer.status, (await send(ruth, 'GET')).body.version]).toEqual([403, 0]);
  });

  it('CEN-6 A16 of a facility are listed in whole for who compiles it, for a nurse those of her own units', async () => {
    const sur = await ward.unit('SUR 2B', {}, place);
    await put(ana);
    expect((await list(ruth)).units.map(({ unit_code, rn_hours }) => [unit_code, rn_hours])).toEqual([
      ['MED 3A', '3120.25'],
      ['SUR 2B', null],
    ]);
    expect((await list(ana)).units.map(({ unit_id }) => unit_id)).toEqual([med.id]);
    expect((await list(ana, '2026-09')).units).toMatchObject([{ version: 0, rn_hours: null }]);
    expect((await list(await ward.person(['clinician'], [sur], place))).status).toBe(403);
  });
});
