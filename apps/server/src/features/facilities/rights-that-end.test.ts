import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type MadeFacility, makeFacility } from '#/testing/factories/facilities.ts';
import { type SignedInMember, signedInMember } from '#/testing/signed-in-member.ts';
import { actsOf } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';

let server: TestServer;
let facility: MadeFacility;
let admin: SignedInMember;
let nurse: SignedInMember;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  facility = await makeFacility(server.db);
  admin = await signedInMember(server, { facility, name: 'Ada Admin', roles: ['facilityAdministrator'] });
  nurse = await signedInMember(server, { facility, name: 'Nina Nurse', roles: ['chargeNurse'] });
});

const member = () => `/members/${nurse.id}`;
const role = () => facility.roles.clinician;
const policies = { expected_version: 1, second_factor_from: null, idle_lock_minutes: 3 };

type Act = [what: string, method: 'DELETE' | 'PATCH' | 'POST' | 'PUT', path: () => string, body?: object];
const ACTS: readonly Act[] = [
  ['setting a phone', 'PUT', () => `${member()}/phone`, { phone: '22 14' }],
  ['setting a title', 'PUT', () => `${member()}/title`, { title: 'Midwife' }],
  ['giving a role', 'PUT', () => `${member()}/roles/${role()}`],
  ['taking a role', 'DELETE', () => `${member()}/roles/${role()}`],
  ['removing a member', 'DELETE', member],
  ['making a role', 'POST', () => '/roles', { name: 'Porter', permissions: [] }],
  ['changing a role', 'PATCH', () => `/roles/${role()}`, { name: 'Porter' }],
  ['deleting a role', 'POST', () => `/roles/${role()}/removal`, { replacement: null }],
  ['renaming the facility', 'PATCH', () => '/settings', { expected_version: 1, name: 'Their Hospital' }],
  ['setting the policies', 'PUT', () => '/policies', policies],
];

it.each(ACTS)(
  'A9 PERM-3 %s comes to nothing where the right to it ends while it waits',
  async (_what, method, path, body) => {
    // Another administrator changes who may what in the facility.
    const asked = await server.db.transaction().execute(async (tx) => {
      await sql`select from facilities where id = ${facility.id} for no key update`.execute(tx);
      const act = admin.client.send(method, `/api/facilities/${facility.id}${path()}`, { body });
      await untilBlocked(server.db, act);
      await tx.deleteFrom('membership_roles').where('role_id', '=', facility.roles.facilityAdministrator).execute();
      return [act];
    });
    expect((await asked[0])?.json()).toMatchObject({ code: 'forbidden' });
    // The audit says of the refusal, and of nothing that was done.
    expect((await actsOf(server, admin.id)).filter(({ outcome }) => outcome !== 'refused')).toEqual([]);
  },
);

it('ADM-1 whoever has no role there still says under which number they are reached', async () => {
  const { db } = server;
  const guest = await signedInMember(server, { facility, name: 'Gus Guest' });
  await db.deleteFrom('membership_roles').where('role_id', '=', role()).execute();
  const set = () =>
    guest.client.send('PUT', `/api/facilities/${facility.id}/members/${guest.id}/phone`, { body: { phone: '30' } });
  expect((await set()).json()).toMatchObject({ user_id: guest.id, phone: '30' });
  // Gone in the database while this process still takes them for a member.
  await db.updateTable('memberships').set({ ended_at: new Date() }).where('user_id', '=', guest.id).execute();
  expect((await set()).statusCode).toBe(404);
});
