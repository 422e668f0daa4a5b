import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatReset } from '#/app/commands/accounts-command.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import { createLog } from '#/platform/log.ts';
import { codeOf, makeApp, makePasskey, makeUser, testPasswordHash } from '#/testing/factories/users.ts';
import { mailsTo } from '#/testing/mailed-links.ts';
import { auditOf, guestWithCookies, newAddress, postLogin, signedIn, statusOf } from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { resetSecondFactors } from './reset-factors.ts';

let server: TestServer;
const unusableHash = '$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

function reset(email: string) {
  return resetSecondFactors(createJobWrite({ db: server.db, log: createLog('silent'), jobId: 'npm run accounts' }), {
    email,
    unusableHash,
  });
}

async function withFactors() {
  const person = await makeUser(server.db, { passwordHash: await testPasswordHash(TEST_APP_KEY) });
  await makeApp(server.db, { userId: person.id, appKey: TEST_APP_KEY });
  await makePasskey(server.db, person.id);
  return person;
}

it('ADM-2 the operator’s reset leaves the password alone to sign in, ends every session, and is mailed and audited', async () => {
  const person = await withFactors();
  const client = await signedIn(server, person.id);
  await client.send('POST', '/user/two-factor-recovery-codes');
  const socket = await openSocket(server);
  await socket.join(client, `private-App.Models.User.${person.id}`);
  const half = await guestWithCookies(server);
  await postLogin(half, { email: person.email });

  const done = await reset(person.email.toUpperCase());
  expect(done).toEqual({
    name: person.name,
    removed: { passkeys: 1, hadApp: true, endedSessions: 1, losesPassword: false },
  });
  expect(formatReset(person.email, done)[0]).toContain('an authenticator app and 1 passkey were removed');
  const mails = await mailsTo(server, person.email);
  expect(mails.map(({ subject }) => subject)).toContain('Your second factors at Wardline were reset');
  expect(await socket.closed).toBe(4009);
  expect(await statusOf(client)).toBe(401);
  const late = await half.send('POST', '/two-factor-challenge', { body: { code: codeOf() }, ip: newAddress() });
  expect(late.statusCode).toBe(422);
  expect((await postLogin(await guestWithCookies(server), { email: person.email })).json()).toEqual({
    two_factor: false,
  });
  const entries = await auditOf(server, 'second_factor.reset', null);
  expect(entries[0]).toMatchObject({ object_id: person.id, request_id: 'npm run accounts', detail: { passkeys: 1 } });
});

it('ACC-2 a password that is too short to stand alone opens nothing after it', async () => {
  const person = await withFactors();
  await server.db.updateTable('users').set({ has_short_password: true }).where('id', '=', person.id).execute();
  expect(await reset(person.email)).toMatchObject({ removed: { losesPassword: true } });
  expect((await postLogin(await guestWithCookies(server), { email: person.email })).statusCode).toBe(422);
});

it('ADM-2 who has no second factor keeps sessions and password, and gets no mail', async () => {
  const person = await makeUser(server.db, { passwordHash: await testPasswordHash(TEST_APP_KEY) });
  const client = await signedIn(server, person.id);
  const before = await auditOf(server, 'second_factor.reset', null);
  const done = await reset(person.email);
  expect(done).toEqual({ name: person.name, removed: null });
  expect(formatReset(person.email, done)).toEqual([`${person.name} has no second factor. Nothing was changed.`]);
  expect(await statusOf(client)).toBe(200);
  expect(await mailsTo(server, person.email)).toEqual([]);
  expect(await auditOf(server, 'second_factor.reset', null)).toHaveLength(before.length);
});

it('ADM-2 an address that nobody has changes nothing', async () => {
  const before = await auditOf(server, 'second_factor.reset', null);
  expect(await reset('nobody@people.test')).toBeNull();
  expect(formatReset('nobody@people.test', null)).toEqual([
    'Nobody has the address nobody@people.test. Nothing was changed.',
  ]);
  expect(await auditOf(server, 'second_factor.reset', null)).toHaveLength(before.length);
});
