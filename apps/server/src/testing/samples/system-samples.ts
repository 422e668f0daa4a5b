import { randomUUID } from 'node:crypto';
import { newId } from '#/platform/new-id.ts';
import { makeFacility, newFacilityCode } from '#/testing/factories/facilities.ts';
import { newMember, type World } from './contract-world.ts';
import type { Sample } from './sample.ts';

/** A member of our facility, whom a system administrator may act on. */
const onMember = async (world: World): Promise<Sample> => ({ params: { user: await newMember(world) } });

async function onDisabled(world: World): Promise<Sample> {
  const user = await newMember(world);
  const disabled = { disabled_at: new Date(), disabled_reason: 'Left the hospital' };
  await world.server.db.updateTable('users').set(disabled).where('id', '=', user).execute();
  return { params: { user } };
}

async function onDeadJob({ server }: World): Promise<Sample> {
  const id = newId();
  const dead = { attempts: 6, last_error: 'Error ECONNREFUSED', dead_at: new Date() };
  await server.db
    .insertInto('jobs')
    .values({ id, kind: 'auth.forgot_password', payload: JSON.stringify({ email: 'nobody@people.test' }), ...dead })
    .execute();
  return { params: { job: id } };
}

/** For each endpoint of the system administration a request of a system administrator. */
export const SYSTEM_SAMPLES: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  listSystemWarnings: async () => ({}),
  getSystemHealth: async () => ({}),
  getJobQueue: async () => ({}),
  listDeadJobs: async () => ({ query: { limit: '5' } }),
  retryJob: onDeadJob,
  discardJob: onDeadJob,
  testMail: async () => ({}),
  listAccounts: async () => ({ query: { limit: '200' } }),
  disableAccount: async (world) => ({ ...(await onMember(world)), body: { reason: 'Left the hospital' } }),
  enableAccount: onDisabled,
  endAccountSessions: onMember,
  resetSecondFactors: onMember,
  addOperator: onMember,
  removeOperator: onMember,
  listAllFacilities: async () => ({ query: { limit: '5' } }),
  createFacility: async () => ({
    body: {
      ...{ name: 'Second Hospital', code: newFacilityCode(), time_zone: 'Europe/Berlin', census_time: '07:00' },
      administrator_email: `${randomUUID()}@people.test`,
    },
  }),
  renameFacility: async ({ server }) => ({
    params: { facility: (await makeFacility(server.db)).id },
    body: { expected_version: 1, name: 'Third Hospital', code: newFacilityCode() },
  }),
  inviteAdministrator: async ({ server }) => ({
    params: { facility: (await makeFacility(server.db)).id },
    body: { email: `${randomUUID()}@people.test` },
  }),
  deactivateFacility: async ({ server }) => ({
    params: { facility: (await makeFacility(server.db, { name: 'Fourth Hospital' })).id },
    body: { name: 'Fourth Hospital' },
  }),
  reopenFacility: async ({ server }) => {
    const { id } = await makeFacility(server.db);
    await server.db.updateTable('facilities').set({ deactivated_at: new Date() }).where('id', '=', id).execute();
    return { params: { facility: id } };
  },
};
