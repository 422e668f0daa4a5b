import { randomInt, randomUUID } from 'node:crypto';
import { addDays } from '@wardline/census/calendar.ts';
import { sql } from 'kysely';
import { makeUnitDays } from '#/testing/factories/census.ts';
import { makeUnit } from '#/testing/factories/facilities.ts';
import type { World } from './contract-world.ts';
import type { Sample } from './sample.ts';

/** Before the units that other samples make: a day of few units is complete soon. */
let lastDate = '2022-01-01';

/** A census date that no other sample has touched. */
function nextDate(): string {
  lastDate = addDays(lastDate, 1);
  return lastDate;
}

async function unitOf({ server, ours }: World): Promise<string> {
  const units = server.db.selectFrom('units').select('id').where('facility_id', '=', ours.facility.id).orderBy('id');
  return (await units.executeTakeFirstOrThrow()).id;
}

/** A day whose reports are all in and approved. */
async function completeDay(world: World): Promise<{ facility: string; date: string }> {
  const { server, ours } = world;
  const date = nextDate();
  const units = await sql<{ unit_id: string }>`
    select unit_id from census_units where facility_id = ${ours.facility.id} and active @> ${date}::date`.execute(
    server.db,
  );
  for (const { unit_id } of units.rows) {
    await makeUnitDays(server.db, { unitId: unit_id, by: ours.member.id, days: [{ date }] });
  }
  return { facility: ours.facility.id, date };
}

async function signedDay(world: World): Promise<{ facility: string; date: string }> {
  const params = await completeDay(world);
  await sql`
    update facility_days d set status = 'approved', signed_by = ${world.ours.entitled.id}, signed_at = now()
    from census_facilities c
    where c.facility_no = d.facility_no and c.facility_id = ${params.facility} and d.census_date = ${params.date}`.execute(
    world.server.db,
  );
  return params;
}

async function settingsVersion({ server, ours }: World): Promise<number> {
  const found = server.db.selectFrom('census_facilities').select('version').where('facility_id', '=', ours.facility.id);
  return (await found.executeTakeFirstOrThrow()).version;
}

async function newAlert({ server, ours }: World): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into census_alerts (id, facility_no, census_date, rule, message)
    select ${id}, facility_no, ${nextDate()}, 'over_high', ${`Alert ${ours.marker}`}
    from census_facilities where facility_id = ${ours.facility.id}`.execute(server.db);
  return id;
}

/** What the patient system has said of a signed report. */
async function newProposal(world: World): Promise<string> {
  const id = randomUUID();
  const { facility, date } = await signedDay(world);
  await sql`
    insert into census_proposals (id, facility_no, unit_no, census_date, population, signed, told)
    select ${id}, c.facility_no, c.unit_no, c.census_date, c.population, '{"discharges": 0}', '{"discharges": 1}'
    from unit_census c join census_facilities f on f.facility_no = c.facility_no and f.facility_id = ${facility}
    where c.census_date = ${date} limit 1`.execute(world.server.db);
  return id;
}

/** Requests about a facility’s day, its alerts and its settings. */
export const CENSUS_DAY_SAMPLES: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  getFacilityDay: async ({ ours }) => ({ params: { facility: ours.facility.id, date: nextDate() } }),
  getSignedDay: async (world) => ({ params: await signedDay(world) }),
  signFacilityDay: async (world) => ({
    params: await completeDay(world),
    body: { client_id: randomUUID(), version: 1, lock: false, override_reason: null, total: null },
  }),
  lockFacilityDay: async (world) => ({
    params: await signedDay(world),
    body: { client_id: randomUUID(), version: 1 },
  }),
  reopenFacilityDay: async (world) => ({
    params: await signedDay(world),
    body: { client_id: randomUUID(), version: 1, reason_code: 'other', reason: `Because ${world.ours.marker}` },
  }),
  remindUnit: async (world) => ({
    params: { facility: world.ours.facility.id, date: nextDate() },
    body: { unit_id: await unitOf(world), population: 'adult_and_child' },
  }),
  getCensusAlert: async (world) => ({
    params: { facility: world.ours.facility.id, alert: await newAlert(world) },
  }),
  acknowledgeAlert: async (world) => ({
    params: { facility: world.ours.facility.id, alert: await newAlert(world) },
  }),
  listProposals: async (world) => {
    await newProposal(world);
    return { params: { facility: world.ours.facility.id } };
  },
  dismissProposal: async (world) => ({
    params: { facility: world.ours.facility.id, proposal: await newProposal(world) },
    body: { client_id: randomUUID(), version: 1, reason: `Because ${world.ours.marker}` },
  }),
  getCensusSettings: async ({ ours }) => ({ params: { facility: ours.facility.id } }),
  updateCensusSettings: async (world) => ({
    params: { facility: world.ours.facility.id },
    body: { version: await settingsVersion(world), lock_after_days: randomInt(1, 366) },
  }),
  createCensusUnit: async (world) => ({
    params: { facility: world.ours.facility.id },
    body: {
      version: await settingsVersion(world),
      ...{ unit_code: `N${randomInt(1_000_000_000)}`, unit_name: `Unit ${world.ours.marker}`, unit_kind: 'Ward' },
    },
  }),
  orderCensusUnits: async (world) => {
    const { server, ours } = world;
    const units = server.db.selectFrom('units').select('id').where('facility_id', '=', ours.facility.id);
    const rows = await units.orderBy('position', 'desc').execute();
    return {
      params: { facility: ours.facility.id },
      body: { version: await settingsVersion(world), unit_ids: rows.map(({ id }) => id) },
    };
  },
  importUnits: async (world) => ({
    params: { facility: world.ours.facility.id },
    query: { version: String(await settingsVersion(world)), apply: 'true' },
    file: Buffer.from(
      `code,name,licensed,physical,staffed\nI${randomInt(1_000_000_000)},Unit ${world.ours.marker},4,4,4`,
    ),
  }),
  deleteCensusUnit: async (world) => {
    const { server, ours } = world;
    const name = { name: `Unit ${ours.marker}`, code: `D${randomInt(1_000_000_000)}` };
    const unit = await makeUnit(server.db, { facilityId: ours.facility.id, ...name });
    return { params: { facility: ours.facility.id, unit }, body: { version: await settingsVersion(world) } };
  },
  updateCensusUnit: async (world) => ({
    params: { facility: world.ours.facility.id, unit: await unitOf(world) },
    body: { version: await settingsVersion(world), hsloc: `HS ${randomInt(1_000_000)}` },
  }),
};
