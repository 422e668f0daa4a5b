import { randomUUID } from 'node:crypto';
import { makeOnCallRole, makeShift } from '#/testing/factories/on-call.ts';
import type { World } from './contract-world.ts';
import type { Sample } from './sample.ts';

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

/** A role of our facility that nobody holds. */
async function newRole({ server, ours }: World): Promise<{ facility: string; role: string }> {
  const name = `Role ${ours.marker} ${randomUUID().slice(0, 8)}`;
  const role = await makeOnCallRole(server.db, { facilityId: ours.facility.id, name });
  return { facility: ours.facility.id, role };
}

/** Who has the right holds it. */
async function heldRole(world: World): Promise<{ params: { facility: string; role: string }; shift: string }> {
  const params = await newRole(world);
  const shift = await makeShift(world.server.db, {
    ...{ facilityId: params.facility, roleId: params.role, userId: world.ours.entitled.id },
    ...{ startsAt: inHours(-1), endsAt: inHours(8) },
  });
  return { params, shift };
}

/** For each endpoint of who is on call a request about our facility. */
export const ON_CALL_SAMPLES: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  getDuty: async ({ ours }) => ({ params: { facility: ours.facility.id, user: ours.reader.id } }),
  listPresence: async ({ ours }) => ({ params: { facility: ours.facility.id }, query: { people: ours.reader.id } }),
  setPresence: async ({ ours }) => ({
    params: { facility: ours.facility.id },
    body: { on_duty_until: inHours(8), busy: { until: inHours(1), reason: 'ward_round' } },
  }),
  listOnCallRoles: async ({ ours }) => ({ params: { facility: ours.facility.id }, query: { limit: '200' } }),
  createOnCallRole: async ({ ours }) => ({
    params: { facility: ours.facility.id },
    body: { name: `Role ${ours.marker} ${randomUUID().slice(0, 8)}`, unit_id: null, phone: '4711' },
  }),
  updateOnCallRole: async (world) => ({
    params: await newRole(world),
    body: { expected_version: 1, name: `Better ${world.ours.marker} ${randomUUID().slice(0, 8)}`, unit_id: null },
  }),
  retireOnCallRole: async (world) => ({ params: await newRole(world) }),
  listShifts: async (world) => ({ params: (await heldRole(world)).params, query: { limit: '5' } }),
  planShift: async (world) => ({
    params: await newRole(world),
    body: { person_id: world.ours.entitled.id, starts_at: inHours(1), ends_at: inHours(9) },
  }),
  deleteShift: async (world) => {
    const { params, shift } = await heldRole(world);
    return { params: { ...params, shift } };
  },
  takeOver: async (world) => ({ params: await newRole(world), body: { until: inHours(8), replaces: null } }),
  handOver: async (world) => {
    const { params, shift } = await heldRole(world);
    return { params, body: { person_id: world.ours.entitled.id, until: inHours(6), replaces: shift } };
  },
};
