import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { type MadeUser, makeUser, TEST_PASSWORD, testPasswordHash } from '#/testing/factories/users.ts';
import {
  auditOf,
  guest,
  guestWithCookies,
  postLogin,
  SESSION_COOKIE,
  signedIn,
  statusOf,
  type TestClient,
  withSession,
  withToken,
} from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';

let server: TestServer;
let passwordHash: string;
let person: MadeUser;

beforeAll(async () => {
  server = await startTestServer();
  passwordHash = await testPasswordHash(TEST_APP_KEY);
});
afterAll(() => server.close());
beforeEach(async () => {
  person = await makeUser(server.db, { passwordHash });
});

const signIn = (client: TestClient, options: { remember?: boolean } = {}) =>
  postLogin(client, { email: person.email, ...options });

describe('signing out', () => {
  it('AUTH-5 ends the session at once and goes on as a guest under a new id', async () => {
    const client = await guestWithCookies(server);
    await signIn(client);
    const ended = client.cookies.get(SESSION_COOKIE) ?? '';
    expect(await statusOf(client)).toBe(200);
    const response = await client.send('POST', '/logout');
    expect(response.statusCode).toBe(204);
    expect(client.cookies.get(SESSION_COOKIE)).not.toBe(ended);
    expect(await statusOf(client)).toBe(401);
    expect(await statusOf(withSession(server, ended))).toBe(401);
    expect(await auditOf(server, 'session.end', person.id)).toMatchObject([{ detail: { kind: 'session' } }]);
    // The guest's cookies are good for signing in again.
    expect((await signIn(client)).statusCode).toBe(200);
  });
});

describe('tokens', () => {
  const forToken = () => ({ email: person.email, password: TEST_PASSWORD, device_name: 'Ward phone' });

  it('HTTP-4 are made for a device that keeps no cookies, without a CSRF token', async () => {
    const created = await guest(server).send('POST', '/api/tokens', { body: forToken() });
    expect(created.statusCode).toBe(201);
  });

  it('ACC-5 last 90 days from when they were made', async () => {
    await guest(server).send('POST', '/api/tokens', { body: forToken() });
    const [token] = await server.db
      .selectFrom('access_tokens')
      .select(['created_at', 'expires_at'])
      .where('user_id', '=', person.id)
      .execute();
    expect(Number(token?.expires_at) - Number(token?.created_at)).toBe(90 * 86_400_000);
  });

  it('HTTP-4 are shown once, work as a bearer, and end with their own sign-out', async () => {
    const created = await (await guestWithCookies(server)).send('POST', '/api/tokens', { body: forToken() });
    expect(created.statusCode).toBe(201);
    const bearer = withToken(server, created.json().token);
    const user = await bearer.send('GET', '/api/user');
    expect(user.json()).toMatchObject({ id: person.id });
    expect(user.headers['set-cookie']).toBeUndefined();
    const [entry] = await auditOf(server, 'token.create', person.id);
    expect(entry).toMatchObject({ object_type: 'access_token' });
    const ended = await bearer.send('POST', '/logout');
    expect(ended.statusCode).toBe(204);
    expect(ended.headers['set-cookie']).toBeUndefined();
    expect(await statusOf(bearer)).toBe(401);
    expect(await auditOf(server, 'session.end', person.id)).toMatchObject([{ detail: { kind: 'token' } }]);
  });

  it('A9 ACC-5 are at most twenty of apps of a person: the one that was not used for longest ends at once, sockets included', async () => {
    const make = async () =>
      withToken(server, (await guest(server).send('POST', '/api/tokens', { body: forToken() })).json().token);
    const idle = await make();
    const socket = await openSocket(server);
    expect(await socket.join(idle, `private-App.Models.User.${person.id}`)).toBe('joined');
    const other = await makeUser(server.db);
    const insert = (userId: string, name: string, count: number, madeDaysAgo: number, abilities = ['*']) =>
      sql`
      insert into access_tokens (id, user_id, name, token_hash, abilities, created_at, last_used_at, expires_at)
      select gen_random_uuid(), ${userId}, ${name}, sha256(gen_random_uuid()::text::bytea), ${abilities}::text[],
        now() - make_interval(days => ${madeDaysAgo}), now() - interval '1 day', now() + interval '1 day'
      from generate_series(1, ${count}::int)`.execute(server.db);
    // One that was made long ago and is in use stays; those of programs, of others and whose time is over do not count.
    await insert(person.id, 'Patient system', 1, 80);
    await insert(person.id, 'Phone', 18, 2);
    await insert(person.id, 'Display', 3, 89, ['chats:read']);
    await insert(other.id, 'Their phone', 20, 89);
    await insert(person.id, 'Over', 2, 91);
    await sql`update access_tokens set expires_at = now() - interval '1 hour', last_used_at = now() - interval '2 hours'
      where name = 'Over'`.execute(server.db);
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
    for (const [name, last_used_at] of [
      ['Ward phone', twoDaysAgo],
      ['Patient system', new Date()],
    ] as const) {
      const tokens = server.db.updateTable('access_tokens').set({ last_used_at }).where('name', '=', name);
      await tokens.where('user_id', '=', person.id).execute();
    }
    expect(await statusOf(await make())).toBe(200);
    expect(await statusOf(idle)).toBe(401);
    await socket.closed;
    // What is made at the same moment is counted in turn.
    const made = await Promise.all([make(), make(), make()]);
    expect(await Promise.all(made.map(statusOf))).toEqual([200, 200, 200]);
    const { rows } = await sql`
      select name, count(*)::int as n from access_tokens where user_id in (${person.id}, ${other.id}) group by name order by name`.execute(
      server.db,
    );
    expect(rows).toEqual([
      { name: 'Display', n: 3 },
      { name: 'Over', n: 2 },
      { name: 'Patient system', n: 1 },
      { name: 'Phone', n: 15 },
      { name: 'Their phone', n: 20 },
      { name: 'Ward phone', n: 4 },
    ]);
    const ended = (await auditOf(server, 'token.create', person.id)).map(({ detail }) => detail);
    expect(ended).toEqual([...Array.from({ length: 4 }, () => ({ ended: 1 })), null]);
  });

  it('A6 a bearer that has no force is nobody, whatever good cookie comes along', async () => {
    const client = await signedIn(server, person.id);
    expect(await statusOf(client)).toBe(200);
    const sessionId = client.cookies.get(SESSION_COOKIE);
    const bad = [`wardline_${'A'.repeat(43)}`, 'x', sessionId, `${sessionId}, Bearer x`];
    for (const authorization of [...bad.map((token) => `Bearer ${token}`), 'Basic eDp5', 'Bearer', 'bearer  ', '']) {
      const response = await client.send('GET', '/api/user', { headers: { authorization } });
      expect(response.statusCode, authorization).toBe(401);
    }
  });
});

describe('what is kept', () => {
  it('A8 a dump of the database holds no live session id, token, CSRF token or password', async () => {
    const client = await guestWithCookies(server);
    await signIn(client, { remember: true });
    const created = await client.send('POST', '/api/tokens', {
      body: { email: person.email, password: TEST_PASSWORD, device_name: 'phone' },
    });
    const secrets = [...client.cookies.values(), created.json().token as string, TEST_PASSWORD];
    // Session, CSRF token, device, bearer token, password.
    expect(secrets).toHaveLength(5);
    const dump: string[] = [];
    for (const table of ['sessions', 'access_tokens', 'users', 'audit_entries']) {
      const rows = await sql<{ row: string }>`select t::text as row from ${sql.table(table)} t`.execute(server.db);
      dump.push(...rows.rows.map((row) => row.row));
    }
    const text = dump.join('\n');
    expect(text).toContain(person.email);
    expect(text).toContain(hashSecret(secrets[0] ?? '').toString('hex'));
    for (const secret of secrets) {
      const bare = secret.replace('wardline_', '');
      for (const form of [secret, bare, hexOf(secret, 'utf8'), hexOf(bare, 'base64url')]) {
        expect(text.includes(form), 'a secret in the dump').toBe(false);
      }
    }
  });

  it('A9 ends what a person may within five seconds of a change in the database itself', async () => {
    const facility = await makeFacility(server.db);
    const losing = await makeUser(server.db);
    const membershipId = await makeMembership(server.db, { userId: losing.id, facility, roles: ['clinician'] });
    const [disabled, member] = [await signedIn(server, person.id), await signedIn(server, losing.id)];
    const permissionsOf = async () =>
      (await member.send('GET', '/api/user')).json().memberships[0]?.permissions as string[];
    expect(await statusOf(disabled)).toBe(200);
    expect(await permissionsOf()).toContain('chats.create');
    await server.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', person.id).execute();
    await server.db.deleteFrom('membership_roles').where('membership_id', '=', membershipId).execute();
    // What this process remembers goes by this clock.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 5_000);
    expect(await statusOf(disabled)).toBe(401);
    expect(await permissionsOf()).toEqual([]);
    clock.mockRestore();
  });

  it('ACC-6 the device key is 32 bytes, the same for one person on every device, another for each person', async () => {
    const keyOf = async (client: TestClient) => (await client.send('GET', '/api/user/device-key')).json().key as string;
    const other = await makeUser(server.db);
    const first = await keyOf(await signedIn(server, person.id));
    expect(Buffer.from(first, 'base64')).toHaveLength(32);
    expect(await keyOf(await signedIn(server, person.id))).toBe(first);
    expect(await keyOf(await signedIn(server, other.id))).not.toBe(first);
    expect((await guest(server).send('GET', '/api/user/device-key')).statusCode).toBe(401);
  });
});

function hexOf(text: string, encoding: BufferEncoding): string {
  return Buffer.from(text, encoding).toString('hex');
}
