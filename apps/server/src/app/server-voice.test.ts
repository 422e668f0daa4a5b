import { afterAll, beforeAll, expect, it } from 'vitest';
import { SERVER_USER } from '#/platform/http/server-actor.ts';
import { makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { makeSession, makeUser, TEST_PASSWORD, testPasswordHash } from '#/testing/factories/users.ts';
import { mailsTo } from '#/testing/mailed-links.ts';
import { guestWithCookies, postLogin, signedIn, statusOf, withSession } from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';
import { hasDemoAccounts } from './demo.ts';

let server: TestServer;
let email: string;
beforeAll(async () => {
  server = await startTestServer();
  const found = server.db.selectFrom('users').select('email').where('id', '=', SERVER_USER.id);
  email = (await found.executeTakeFirstOrThrow()).email;
});
afterAll(() => server.close());

it('CEN-10 nobody signs in as the server, not even with a password that fits or a session that is stored', async () => {
  const password_hash = await testPasswordHash(TEST_APP_KEY);
  await server.db.updateTable('users').set({ password_hash }).where('id', '=', SERVER_USER.id).execute();
  const client = await guestWithCookies(server);
  expect((await postLogin(client, { email, password: TEST_PASSWORD })).statusCode).toBe(422);
  const token = { email, password: TEST_PASSWORD, device_name: 'phone' };
  expect((await client.send('POST', '/api/tokens', { body: token })).statusCode).toBe(422);
  const session = await makeSession(server.db, { userId: SERVER_USER.id });
  expect(await statusOf(withSession(server, session))).toBe(401);
});

it('CEN-10 nobody is mailed a new password for the server', async () => {
  const client = await guestWithCookies(server);
  expect((await client.send('POST', '/forgot-password', { body: { email } })).statusCode).toBe(200);
  expect(await mailsTo(server, email)).toEqual([]);
});

it('CEN-10 nobody finds the server among the members or takes it into a chat', async () => {
  const facility = await makeFacility(server.db);
  const ana = await makeUser(server.db, { name: 'Wardle Ana' });
  await makeMembership(server.db, { userId: ana.id, facility, roles: ['clinician', 'facilityAdministrator'] });
  const client = await signedIn(server, ana.id);
  const found = await client.send('GET', `/api/facilities/${facility.id}/members?q=wardl`);
  expect(found.json().data.map(({ name }: { name: string }) => name)).toEqual(['Wardle Ana']);
  const body = { client_id: crypto.randomUUID(), kind: 'group', title: 'Night', participant_ids: [SERVER_USER.id] };
  expect((await client.send('POST', `/api/facilities/${facility.id}/chats`, { body })).statusCode).toBe(422);
  expect(await hasDemoAccounts(server.db)).toBe(false);
});
