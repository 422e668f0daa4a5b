import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { type MadeUser, makeUser } from '#/testing/factories/users.ts';
import { auditOf, signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';

let server: TestServer;
let facility: MadeFacility;
let admin: MadeUser;
let nurse: MadeUser;
let asAdmin: TestClient;
let asNurse: TestClient;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  facility = await makeFacility(server.db);
  admin = await makeUser(server.db);
  nurse = await makeUser(server.db);
  await makeMembership(server.db, { userId: admin.id, facility, roles: ['facilityAdministrator'] });
  await makeMembership(server.db, { userId: nurse.id, facility, roles: ['chargeNurse'] });
  [asAdmin, asNurse] = [await signedIn(server, admin.id), await signedIn(server, nurse.id)];
});

const set = (title: string | null, by = asAdmin, of = facility.id) =>
  by.send('PUT', `/api/facilities/${of}/members/${nurse.id}/title`, { body: { title } });

it('ADM-1 whoever manages the members says what somebody is, changes it and takes it away, each once in the audit', async () => {
  expect((await set('Charge nurse, ICU')).json()).toMatchObject({ user_id: nurse.id, title: 'Charge nurse, ICU' });
  expect((await asNurse.send('GET', '/api/user')).json().memberships).toMatchObject([{ title: 'Charge nurse, ICU' }]);
  expect((await set('Charge nurse, ICU')).statusCode).toBe(200);
  expect((await set(null)).json().title).toBeNull();
  // No words of a person.
  expect((await auditOf(server, 'member.set_title', admin.id)).map(({ detail }) => detail)).toEqual([
    { has_title: false },
    { has_title: true },
  ]);
});

it('ADM-1 PERM-3 nobody gives themselves a title, and none of elsewhere is given', async () => {
  expect((await set('Chief of medicine', asNurse)).statusCode).toBe(403);
  const other = await makeFacility(server.db);
  expect((await set('Midwife', asAdmin, other.id)).statusCode).toBe(404);
  await server.db.updateTable('memberships').set({ ended_at: new Date() }).where('user_id', '=', nurse.id).execute();
  expect((await set('Midwife')).statusCode).toBe(404);
  expect((await set('M'.repeat(81))).statusCode).toBe(422);
});
