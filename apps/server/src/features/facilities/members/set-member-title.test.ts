import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { type MadeUser, makeUser } from '#/testing/factories/users.ts';
import { actsOf, audited, signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';

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
  const told = { facility_id: facility.id };
  expect(await actsOf(server, admin.id)).toEqual([
    audited('member.set_title', ['user', nurse.id], { ...told, detail: { has_title: true } }),
    audited('member.set_title', ['user', nurse.id], { ...told, detail: { has_title: false } }),
  ]);
});

it.each([
  ['title', { title: 'Midwife' }],
  ['phone', { phone: '22 14' }],
] as const)('ADM-1 A16 a %s is of one facility, and of the membership that is', async (what, body) => {
  const other = await makeFacility(server.db);
  await makeMembership(server.db, { userId: admin.id, facility: other, roles: ['facilityAdministrator'] });
  await makeMembership(server.db, { userId: nurse.id, facility: other, title: 'Elsewhere', phone: '99' });
  const former = await makeMembership(server.db, { userId: (await makeUser(server.db)).id, facility });
  const before = { user_id: nurse.id, title: 'Before', phone: '11', ended_at: new Date() };
  await server.db.updateTable('memberships').set(before).where('id', '=', former).execute();
  const url = `/api/facilities/${facility.id}/members/${nurse.id}/${what}`;
  expect((await asAdmin.send('PUT', url, { body })).statusCode).toBe(200);
  const rows = await server.db
    .selectFrom('memberships')
    .select(['title', 'phone'])
    .where('user_id', '=', nurse.id)
    .execute();
  const empty = { title: null, phone: null };
  expect(rows).toHaveLength(3);
  expect(rows).toEqual(
    expect.arrayContaining([
      { ...empty, ...body },
      { title: 'Elsewhere', phone: '99' },
      { title: 'Before', phone: '11' },
    ]),
  );
});

it('ADM-1 a title is told to the devices of whose it is, once', async () => {
  const socket = await openSocket(server);
  const channel = `private-App.Models.User.${nurse.id}`;
  expect(await socket.join(asNurse, channel)).toBe('joined');
  for (let turn = 0; turn < 2; turn++) await set('Midwife');
  await socket.settle();
  const told = socket.frames.filter(({ event }) => event === 'App\\Events\\MembershipChanged');
  expect(told.map(({ data }) => data)).toEqual([{ facility_id: facility.id, chat_id: null, change: 'changed' }]);
  socket.close();
});

it('ADM-1 PERM-3 nobody gives themselves a title, and none of elsewhere is given', async () => {
  expect((await set('Chief of medicine', asNurse)).statusCode).toBe(403);
  const other = await makeFacility(server.db);
  expect((await set('Midwife', asAdmin, other.id)).statusCode).toBe(404);
  await server.db.updateTable('memberships').set({ ended_at: new Date() }).where('user_id', '=', nurse.id).execute();
  expect((await set('Midwife')).statusCode).toBe(404);
  expect((await set('M'.repeat(81))).statusCode).toBe(422);
});

it('ADM-1 whoever has no role there still says under which number they are reached', async () => {
  await server.db.deleteFrom('membership_roles').where('role_id', '=', facility.roles.chargeNurse).execute();
  const path = `/api/facilities/${facility.id}/members/${nurse.id}/phone`;
  const setPhone = () => asNurse.send('PUT', path, { body: { phone: '30' } });
  expect((await setPhone()).json()).toMatchObject({ user_id: nurse.id, phone: '30' });
  // Gone in the database while this process still takes them for a member.
  await server.db.updateTable('memberships').set({ ended_at: new Date() }).where('user_id', '=', nurse.id).execute();
  expect((await setPhone()).statusCode).toBe(404);
});
