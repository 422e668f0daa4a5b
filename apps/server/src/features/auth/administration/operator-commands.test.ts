import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatLink, formatOperator } from '#/app/commands/accounts-command.ts';
import { createLinks } from '#/features/auth/account/links.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import { createLog } from '#/platform/log.ts';
import { makeUser, testPasswordHash } from '#/testing/factories/users.ts';
import { mailsTo } from '#/testing/mailed-links.ts';
import { auditOf, guestWithCookies, newAddress, postLogin, signedIn } from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';
import { makeOperator, makeResetLink } from './operator-commands.ts';

const PASSWORD = 'correct horse battery staple again';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const write = () => createJobWrite({ db: server.db, log: createLog('silent'), jobId: 'npm run accounts' });
const links = createLinks(Buffer.from(TEST_APP_KEY), () => 'https://chat.hospital.example');
const disable = (id: string) =>
  server.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', id).execute();

it('ADM-2 a command makes somebody a system administrator, where the last one has left; they are told, and it is audited', async () => {
  const person = await makeUser(server.db);
  const client = await signedIn(server, person.id);
  expect((await client.send('GET', '/api/system/accounts')).statusCode).toBe(404);
  const made = await makeOperator(write(), person.email.toUpperCase());
  expect(formatOperator(person.email, made).lines[0]).toContain(`${person.name} is a system administrator now`);
  expect((await (await signedIn(server, person.id)).send('GET', '/api/system/accounts')).statusCode).toBe(200);
  expect((await mailsTo(server, person.email)).map(({ subject }) => subject).join()).toMatch(/system administrator/);
  const [entry] = await auditOf(server, 'operator.add', null);
  expect(entry).toMatchObject({ object_id: person.id, request_id: 'npm run accounts' });
  expect(await makeOperator(write(), person.email)).toMatchObject({ wasOperator: true });
  expect(await auditOf(server, 'operator.add', null)).toHaveLength(1);
});

it('ADM-2 ACC-1 a link that a command makes sets a new password, once', async () => {
  const person = await makeUser(server.db, { passwordHash: await testPasswordHash(TEST_APP_KEY) });
  const handed = await makeResetLink(write(), { email: person.email, links });
  const said = formatLink(person.email, handed).lines.join();
  expect(said).toContain('https://chat.hospital.example/password-reset/');
  const token = /password-reset\/([\w-]+)\?/.exec(said)?.[1] ?? '';
  const reset = async () =>
    (await guestWithCookies(server)).send('POST', '/reset-password', {
      body: { token, email: person.email, password: PASSWORD, password_confirmation: PASSWORD },
      ip: newAddress(),
    });
  expect((await reset()).statusCode).toBe(200);
  expect((await reset()).statusCode).toBe(422);
  const guest = await guestWithCookies(server);
  expect((await postLogin(guest, { email: person.email, password: PASSWORD })).statusCode).toBe(200);
  const [entry] = await auditOf(server, 'password.reset_link', null);
  expect(entry).toMatchObject({ object_id: person.id, request_id: 'npm run accounts' });
});

it('ADM-2 neither is done for an address that nobody has, or for a disabled account', async () => {
  const person = await makeUser(server.db);
  await disable(person.id);
  for (const email of [person.email, 'nobody@people.test']) {
    expect(formatOperator(email, await makeOperator(write(), email)).code).toBe(1);
    expect(formatLink(email, await makeResetLink(write(), { email, links })).code).toBe(1);
  }
  const held = server.db.selectFrom('users').select('is_operator').where('id', '=', person.id);
  expect(await held.executeTakeFirstOrThrow()).toEqual({ is_operator: false });
});
