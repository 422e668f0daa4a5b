import { randomUUID } from 'node:crypto';
import { nilCounts } from '@wardline/census/balance.ts';
import { addDays } from '@wardline/census/calendar.ts';
import type { UnitDayStatus } from '@wardline/contract/census/census.ts';
import { censusPlaceOf, makeEstimate, makeUnitDays } from '#/testing/factories/census.ts';
import { makeUnit } from '#/testing/factories/facilities.ts';
import type { World } from './contract-world.ts';
import type { Sample } from './sample.ts';

type MakeSample = (world: World) => Promise<Sample>;

/** Long enough ago to have been counted in every zone. */
const DATE = addDays(new Date().toISOString().slice(0, 10), -3);

/** A month that has ended in every zone. */
const MONTH = addDays(`${DATE.slice(0, 7)}-01`, -3).slice(0, 7);

/** Later than the days of other samples, which are complete without these units. */
const OPENED = '2025-01-01';

/** A unit of ours for which the entitled one reports. */
async function ownUnit({ server: { db }, ours: { facility, marker, entitled } }: World): Promise<string> {
  const code = `U ${randomUUID().slice(-10)}`;
  const options = { facilityId: facility.id, name: `Unit ${marker}`, code, kind: marker, activeFrom: OPENED };
  const unit = await makeUnit(db, options);
  const { unit_no } = await censusPlaceOf(db, unit);
  await db.insertInto('census_assignments').values({ unit_no, user_id: entitled.id }).execute();
  return unit;
}

/** An act on a report of such a unit, submitted by the entitled one or by somebody else. */
function unitDayAct(options: { status: UnitDayStatus; isOwn: boolean; body?: Record<string, unknown> }): MakeSample {
  return async (world) => {
    const unitId = await ownUnit(world);
    const by = options.isOwn ? world.ours.entitled.id : world.ours.member.id;
    const days = [{ date: DATE, opening: 7, status: options.status }];
    await makeUnitDays(world.server.db, { unitId, by, days });
    return {
      params: { unit: unitId, date: DATE, population: 'adult_and_child' },
      body: { client_id: randomUUID(), version: 1, ...options.body },
    };
  };
}

/** Requests to report a census with. */
export const CENSUS_ENTRY_SAMPLES: Readonly<Record<string, MakeSample>> = {
  listOwedReports: async ({ ours }) => ({ query: { facility: ours.facility.id, limit: '5' } }),
  listReportsToApprove: async () => ({}),
  getUnitDay: async (world) => ({ params: { unit: await ownUnit(world), date: DATE, population: 'adult_and_child' } }),
  putUnitDay: async (world) => ({
    params: { unit: await ownUnit(world), date: DATE, population: 'adult_and_child' },
    body: {
      client_id: randomUUID(),
      version: 0,
      counts: nilCounts(12),
      seed: 12,
      closing: 12,
      transfers: [],
      beds_staffed: 14,
      beds_blocked: 0,
      variance_reason: `Variance ${world.ours.marker}`,
      capacity_reason: `Capacity ${world.ours.marker}`,
      note: `Note ${world.ours.marker}`,
      submit: true,
      device_time: '2026-01-02T03:04:05Z',
    },
  }),
  submitUnitDay: unitDayAct({ status: 'draft', isOwn: true, body: { device_time: '2026-01-02T03:04:05Z' } }),
  withdrawUnitDay: unitDayAct({ status: 'submitted', isOwn: true }),
  returnUnitDay: unitDayAct({ status: 'submitted', isOwn: false, body: { reason: 'Count the heads again' } }),
  approveUnitDay: unitDayAct({ status: 'submitted', isOwn: false }),
  amendUnitDay: unitDayAct({
    status: 'approved',
    isOwn: true,
    body: { reason_code: 'late_slip', reason: 'Late slip' },
  }),
  estimateUnitDay: async (world) => ({
    params: { unit: await ownUnit(world), date: DATE, population: 'adult_and_child' },
    body: { client_id: randomUUID(), census: 21, reason: `Phoned ${world.ours.marker}` },
  }),
  withdrawEstimate: async (world) => {
    const unitId = await ownUnit(world);
    await makeEstimate(world.server.db, { unitId, date: DATE, census: 21, by: world.ours.entitled.id });
    return { params: { unit: unitId, date: DATE, population: 'adult_and_child' }, body: { client_id: randomUUID() } };
  },
  takeSnapshot: async (world) => ({
    params: { unit: await ownUnit(world) },
    body: {
      client_id: randomUUID(),
      population: 'adult_and_child',
      taken_at: new Date().toISOString(),
      occupied: 12,
      blocked: 0,
    },
  }),
  getNursingHours: async (world) => ({ params: { unit: await ownUnit(world), month: MONTH } }),
  putNursingHours: async (world) => ({
    params: { unit: await ownUnit(world), month: MONTH },
    body: {
      client_id: randomUUID(),
      version: 0,
      rn_hours: '3120.25',
      other_hours: '940',
      note: `Note ${world.ours.marker}`,
    },
  }),
  listNursingHours: async ({ ours }) => ({ params: { facility: ours.facility.id, month: MONTH } }),
};
