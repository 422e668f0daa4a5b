import { randomBytes, randomUUID } from 'node:crypto';
import { receiveHl7 } from '@wardline/contract/census/exchange.ts';
import { newId } from '#/platform/new-id.ts';
import { makeUnit } from '#/testing/factories/facilities.ts';
import { newAddress } from '#/testing/test-client.ts';
import { clientOf, type World } from './contract-world.ts';
import type { Sample } from './sample.ts';

const range = { from: '2025-03-01', to: '2025-03-02' };

/** A unit of its own, so that no other sample's chain of openings is met. */
async function newUnit({ server, ours }: World): Promise<string> {
  const code = randomUUID().slice(0, 8).toUpperCase();
  await makeUnit(server.db, { facilityId: ours.facility.id, name: `Unit ${code}`, code, activeFrom: range.from });
  return code;
}

function admission(unitCode: string): string {
  const id = randomUUID();
  return [
    `MSH|^~\\&|ADT|H1|CENSUS|H1|20250301101500+0000||ADT^A01|${id}|P|2.5.1`,
    'EVN|A01|20250301101500+0000||||20250301101500+0000',
    `PID|1||${id}`,
    `PV1|1|I|${unitCode}^1^1||||||||||||||||${id}`,
  ].join('\r');
}

async function facilityNoOf({ server, ours }: World): Promise<number> {
  const query = server.db.selectFrom('census_facilities').select('facility_no');
  return (await query.where('facility_id', '=', ours.facility.id).executeTakeFirstOrThrow()).facility_no;
}

async function newReject(world: World): Promise<string> {
  const id = newId();
  const text = { reason: `Because ${world.ours.marker}`, message: `What ${world.ours.marker} said` };
  const row = { id, facility_no: await facilityNoOf(world), sender: world.ours.marker, ...text };
  await world.server.db.insertInto('adt_rejects').values(row).execute();
  return id;
}

async function newUnknownStay(world: World): Promise<string> {
  const id = newId();
  const code = await newUnit(world);
  const unit = await world.server.db
    .selectFrom('census_units')
    .innerJoin('units', 'units.id', 'census_units.unit_id')
    .select('unit_no')
    .where('units.code', '=', code)
    .executeTakeFirstOrThrow();
  const row = {
    ...{ id, facility_no: await facilityNoOf(world), visit_key: randomBytes(32), control_id: world.ours.marker },
    ...{
      kind: 'discharge',
      at: new Date('2025-03-02T10:00:00Z'),
      census_date: '2025-03-02',
      population: 'adult_and_child',
    },
  };
  await world.server.db
    .insertInto('adt_unknown_stays')
    .values({ ...row, unit_no: unit.unit_no })
    .execute();
  return id;
}

/** Of a patient system that counts from this date, whatever another sample has done with it; null: it does not. */
async function feedAct({ server, ours }: World, feed_live_from: string | null): Promise<Sample> {
  const { id: facility } = ours.facility;
  const query = server.db.updateTable('census_facilities').set({ feed_live_from });
  await query.where('facility_id', '=', facility).execute();
  return { params: { facility }, body: { client_id: randomUUID(), reason: `Because ${ours.marker}` } };
}

/** Requests about files and messages of the census. */
export const CENSUS_EXCHANGE_SAMPLES: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  exportCensus: async ({ ours }) => ({
    params: { kind: 'unit-days' },
    query: { facility: ours.facility.id, ...range },
  }),
  importCensus: async (world) => ({
    query: { facility: world.ours.facility.id, apply: 'true' },
    file: Buffer.from(`unit_code,census_date,opening,admissions\n${await newUnit(world)},2025-03-01,4,1`),
  }),
  receiveHl7: async (world) => ({
    body: { facility: world.ours.facility.id, message: admission(await newUnit(world)) },
  }),
  getCensusFeed: async ({ ours }) => ({ params: { facility: ours.facility.id } }),
  startCensusFeed: async (world) => {
    const { id: facility_id } = world.ours.facility;
    // Whichever came before: the system knows of somebody who is in.
    const feed = await clientOf(world, 'with the right');
    const told = { facility: facility_id, message: admission(await newUnit(world)) };
    await feed.send('POST', receiveHl7.path, { body: told, ip: newAddress() });
    return feedAct(world, null);
  },
  stopCensusFeed: (world) => feedAct(world, '2025-03-01'),
  forgetCensusFeed: (world) => feedAct(world, null),
  importStays: async (world) => ({
    params: { facility: world.ours.facility.id },
    query: { apply: 'true' },
    file: Buffer.from(
      `unit_code,bed,visit_number,admitted_at\n${await newUnit(world)},1,${randomUUID()},2025-03-01 10:00`,
    ),
  }),
  listRefusedMessages: async (world) => {
    await newReject(world);
    return { params: { facility: world.ours.facility.id } };
  },
  retryRefusedMessage: async (world) => ({
    params: { facility: world.ours.facility.id, message: await newReject(world) },
    body: { client_id: randomUUID() },
  }),
  listUnknownStays: async (world) => {
    await newUnknownStay(world);
    return { params: { facility: world.ours.facility.id } };
  },
  acceptUnknownStay: async (world) => ({
    params: { facility: world.ours.facility.id, stay: await newUnknownStay(world) },
    body: { client_id: randomUUID(), version: 1, admitted_at: '2025-03-01T10:00:00.000Z' },
  }),
  dismissUnknownStay: async (world) => ({
    params: { facility: world.ours.facility.id, stay: await newUnknownStay(world) },
    body: { client_id: randomUUID(), version: 1, reason: `Because ${world.ours.marker}` },
  }),
};
