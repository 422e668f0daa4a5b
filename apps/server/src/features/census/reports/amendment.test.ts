import { randomUUID } from 'node:crypto';
import { addDays } from '@wardline/census/calendar.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  act,
  type CensusFixture,
  entry,
  type FixtureUnit,
  openCensusFixture,
  type Person,
  put,
  read,
  report,
  setNow,
} from './testing/census-fixture.ts';

const FIRST = '2026-11-12';

let ward: CensusFixture;
let med: FixtureUnit;
let ana: Person;
let ruth: Person;
beforeAll(async () => {
  setNow('2026-11-19T16:38:00Z');
  ward = await openCensusFixture();
});
afterAll(() => ward.close());
beforeEach(async () => {
  med = await ward.unit(`MED ${randomUUID().slice(0, 8)}`, { staffed: 200 });
  ana = await ward.person(['chargeNurse'], [med]);
  ruth = await ward.person(['censusOfficer'], [med]);
});

const on = (index: number) => ({ unit: med, date: addDays(FIRST, index) });

/** Approved reports of five days on which one comes, the last two of them locked. */
async function fiveDays(): Promise<void> {
  for (const index of [0, 1, 2, 3, 4]) {
    await report(ana, on(index), { counts: { admissions: 1 }, ...(index === 0 && { seed: 20 }) });
    const approved = await act(ruth, on(index), ['approve', { version: 1 }]);
    expect(approved.status).toBe(200);
  }
  const reports = ward.server.db.updateTable('unit_census').set({ status: 'locked' }).where('unit_no', '=', med.no);
  await reports.where('census_date', '>=', on(3).date).execute();
}

/** Opens the second day for a correction, and hands it in with two discharges more. */
async function correct(): Promise<void> {
  const { version } = await read(ruth, on(1));
  const why = { reason_code: 'late_slip', reason: 'Two discharge slips came late' };
  await act(ruth, on(1), ['amend', { version, ...why }]);
  const counts = entry({ admissions: 1, discharges: 2, counted: 20 }, { version: version + 1, submit: true });
  expect((await put(ana, on(1), counts)).status).toBe(200);
}

describe('CEN-3 a correction that waits for its approval', () => {
  it('CEN-3 says why it was made and each figure that is not as it was approved', async () => {
    await fiveDays();
    expect((await read(ruth, on(1))).amendment).toBeNull();
    await correct();
    expect((await read(ruth, on(1))).amendment).toEqual({
      reason_code: 'late_slip',
      reason: 'Two discharge slips came late',
      changes: [
        { field: 'discharges', from: 0, to: 2 },
        { field: 'counted', from: 22, to: 20 },
        { field: 'closing', from: 22, to: 20 },
        { field: 'present', from: 22, to: 20 },
        { field: 'service_days', from: 22, to: 20 },
      ],
    });
  });

  it('CEN-3 says how many later days its approval moves and how many of them are signed, and then moves these', async () => {
    await fiveDays();
    await correct();
    const told = await read(ruth, on(1));
    expect(told.restates).toEqual({ days: 2, signed: 2, ask: null });
    await act(ruth, on(1), ['approve', { version: told.version }]);
    const batch = ward.server.db.selectFrom('census_restatements').select('rows').where('unit_no', '=', med.no);
    const moved = await batch.where('approved_by', '=', ruth.id).execute();
    expect(moved).toEqual([{ rows: 2 }]);
    const after = await read(ruth, on(1));
    expect([after.restates, after.amendment]).toEqual([null, null]);
  });

  it('CEN-3 names who may approve it to an approver who may not change signed days', async () => {
    await fiveDays();
    await correct();
    const { db } = ward.server;
    const splitting = (split_permissions: string[]) =>
      db
        .updateTable('census_facilities')
        .where('facility_no', '=', ward.facilityNo)
        .set({ split_permissions })
        .execute();
    await splitting(['census.reopen']);
    expect((await read(ruth, on(1))).restates).toEqual({ days: 2, signed: 2, ask: [] });
    const both = await ward.person(['censusOfficer']);
    const reopens = await ward.person(['clinician']);
    const role = { id: randomUUID(), facility_id: ward.facility.id, name: 'Reopens', permissions: ['census.reopen'] };
    await db.insertInto('roles').values(role).execute();
    const members = db.selectFrom('memberships').where('user_id', 'in', [both.id, reopens.id]);
    const given = members.select(({ val }) => ['id', val(role.id).as('role'), 'facility_id']);
    await db
      .insertInto('membership_roles')
      .columns(['membership_id', 'role_id', 'facility_id'])
      .expression(given)
      .execute();
    expect((await read(ruth, on(1))).restates?.ask).toEqual([{ id: both.id, name: both.name }]);
    expect((await read(both, on(1))).restates?.ask).toBeNull();
    await splitting([]);
  });

  it('CEN-3 is compared with what was approved last, also after it was returned and given again', async () => {
    await fiveDays();
    await correct();
    const { version } = await read(ruth, on(1));
    await act(ruth, on(1), ['return', { version, reason: 'It was one slip' }]);
    const again = entry({ admissions: 1, discharges: 1, counted: 21 }, { version: version + 1, submit: true });
    await put(ana, on(1), again);
    const told = await read(ruth, on(1));
    expect(told.amendment?.changes[0]).toEqual({ field: 'discharges', from: 0, to: 1 });
    expect(told.last_reason).toBe('It was one slip');
  });

  it('CEN-3 tells who may not approve nothing of later days', async () => {
    await fiveDays();
    await correct();
    const told = await read(ana, on(1));
    expect(told.restates).toBeNull();
    expect(told.amendment?.reason).toBe('Two discharge slips came late');
  });
});
