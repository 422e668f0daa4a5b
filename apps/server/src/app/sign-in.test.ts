import * as argon2 from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { type MadeUser, makeUser, TEST_PASSWORD, testPasswordHash } from '#/testing/factories/users.ts';
import { insertedBy, statementsOf } from '#/testing/same-work.ts';
import {
  auditOf,
  guestWithCookies,
  newAddress,
  postLogin,
  SESSION_COOKIE,
  type SignInOptions,
  signedIn,
  statusOf,
  type TestClient,
  withSession,
} from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';

vi.mock(import('@node-rs/argon2'), async (original) => {
  const actual = await original();
  return { ...actual, verify: vi.fn(actual.verify) };
});
const verify = vi.mocked(argon2.verify);

const REFUSED = {
  message: 'These credentials do not match our records.',
  code: 'unprocessable',
  errors: { email: ['These credentials do not match our records.'] },
};

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
  verify.mockClear();
});

function trySignIn(client: TestClient, options: SignInOptions) {
  return postLogin(client, { email: person.email, ...options });
}

function cookieLine(response: { headers: Record<string, unknown> }, name: string): string {
  const lines = [response.headers['set-cookie'] ?? []].flat().map(String);
  return lines.find((line) => line.startsWith(`${name}=`)) ?? '';
}

describe('signing in', () => {
  it('AUTH-5 starts a session: the identity answers, the entry is audited, the cookie ends with the browser', async () => {
    const client = await guestWithCookies(server);
    expect(await statusOf(client)).toBe(401);
    const response = await trySignIn(client, { email: ` ${person.email.toUpperCase()} ` });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ two_factor: false });
    const line = cookieLine(response, SESSION_COOKIE);
    expect(line).toContain('HttpOnly');
    expect(line).toContain('SameSite=Lax');
    expect(line).not.toMatch(/Max-Age|Expires|Domain/);
    const user = await client.send('GET', '/api/user');
    expect(user.json()).toMatchObject({ id: person.id, name: person.name, email: person.email, memberships: [] });
    expect(await auditOf(server, 'session.start', person.id)).toMatchObject([
      { object_id: person.id, outcome: 'done' },
    ]);
    const [session] = await server.db.selectFrom('sessions').selectAll().where('user_id', '=', person.id).execute();
    expect(session).toMatchObject({
      remember: false,
      user_agent: 'lightMyRequest',
      ip: expect.stringMatching(/^10\./),
    });
    const lifetimeH = (Number(session?.expires_at) - Number(session?.created_at)) / 3_600_000;
    expect(lifetimeH).toBeCloseTo(12, 3);
  });

  it('ACC-5 keeps a remembered session for seven days, said with every answer', async () => {
    const client = await guestWithCookies(server);
    expect(cookieLine(await trySignIn(client, { remember: true }), SESSION_COOKIE)).toContain('Max-Age=604800');
    const later = cookieLine(await client.send('GET', '/api/user'), SESSION_COOKIE);
    expect(Number(/Max-Age=(\d+)/.exec(later)?.[1])).toBeGreaterThan(604_700);
    expect(Number(/Max-Age=(\d+)/.exec(later)?.[1])).toBeLessThanOrEqual(604_800);
  });

  it.each([
    [1, true],
    ['1', true],
    ['on', true],
    ['true', true],
    [true, true],
    [null, false],
    [0, false],
    ['', false],
    ['off', false],
    [false, false],
  ])('F-L4 takes remember: %j for %s, as Laravel does', async (remember, isRemembered) => {
    const body = { email: person.email, password: TEST_PASSWORD, remember };
    const response = await (await guestWithCookies(server)).send('POST', '/login', { body, ip: newAddress() });
    expect(response.statusCode).toBe(200);
    expect(cookieLine(response, SESSION_COOKIE).includes('Max-Age=604800')).toBe(isRemembered);
  });

  it('A5 gives a new session id and CSRF token, and the planted one never signs anybody in', async () => {
    const client = await guestWithCookies(server);
    const before = new Map(client.cookies);
    await trySignIn(client, {});
    expect(client.cookies.get(SESSION_COOKIE)).not.toBe(before.get(SESSION_COOKIE));
    expect(client.cookies.get('XSRF-TOKEN')).not.toBe(before.get('XSRF-TOKEN'));
    expect(await statusOf(client)).toBe(200);
    expect(await statusOf(withSession(server, before.get(SESSION_COOKIE) ?? ''))).toBe(401);
  });

  it('F-L10 leads a browser that is signed in to the dashboard, and changes nothing, whoever it is', async () => {
    const other = await makeUser(server.db);
    const client = await signedIn(server, other.id);
    const before = client.cookies.get(SESSION_COOKIE);
    const response = await trySignIn(client, {});
    expect([response.statusCode, response.headers.location]).toEqual([302, '/dashboard']);
    expect(client.cookies.get(SESSION_COOKIE)).toBe(before);
    expect((await client.send('GET', '/api/user')).json()).toMatchObject({ id: other.id });
  });

  it('A9 keeps at most ten sessions of a person and ends the oldest at once', async () => {
    const clients: TestClient[] = [];
    for (let turn = 0; turn < 11; turn++) {
      const client = await guestWithCookies(server);
      await trySignIn(client, {});
      clients.push(client);
      // The cache of this process knows each of them.
      expect(await statusOf(client)).toBe(200);
    }
    const statuses = await Promise.all(clients.map(statusOf));
    expect(statuses).toEqual([401, ...Array.from({ length: 10 }, () => 200)]);
  });

  it('A9 keeps at most ten sessions when more start at the same moment', async () => {
    const clients = await Promise.all(Array.from({ length: 14 }, () => guestWithCookies(server)));
    await Promise.all(clients.map((client) => trySignIn(client, {})));
    const statuses = await Promise.all(clients.map(statusOf));
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  });

  it('A3 answers an unknown address, a disabled account and a wrong password alike, and hashes for each', async () => {
    const disabled = await makeUser(server.db, { passwordHash, disabledAt: new Date() });
    const answers = [];
    for (const [email, password] of [
      [person.email, 'wrong horse'],
      ['nobody@people.test', TEST_PASSWORD],
      [disabled.email, TEST_PASSWORD],
    ]) {
      verify.mockClear();
      const response = await trySignIn(await guestWithCookies(server), { email, password } as { email: string });
      expect(verify).toHaveBeenCalledOnce();
      expect(response.json()).toEqual(REFUSED);
      const { date, 'set-cookie': cookies, ...headers } = response.headers;
      expect(date).toBeDefined();
      answers.push({ status: response.statusCode, headers, cookies: [cookies ?? []].flat().length });
    }
    expect(answers[0]?.status).toBe(422);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('A3 does the same work for an unknown address, a disabled account and a wrong password', async () => {
    const disabled = await makeUser(server.db, { passwordHash, disabledAt: new Date() });
    const client = await guestWithCookies(server);
    const workFor = async (email: string) => {
      verify.mockClear();
      const statements = await statementsOf(() => trySignIn(client, { email, password: 'wrong horse' }));
      return { statements, verified: verify.mock.calls.map(([of]) => argon2.parseOptions(of)) };
    };
    const ofKnown = await workFor(person.email);
    expect(ofKnown.statements).toContainEqual(expect.stringContaining('from "users"'));
    expect(insertedBy(ofKnown.statements)).toEqual(['audit_entries']);
    expect(ofKnown.verified).toHaveLength(1);
    expect(await workFor('nobody@people.test')).toEqual(ofKnown);
    expect(await workFor(disabled.email)).toEqual(ofKnown);
  });

  it('A45 audits a refusal without the password and with the address only as an HMAC', async () => {
    const before = (await auditOf(server, 'session.refused', null)).length;
    await trySignIn(await guestWithCookies(server), { password: 'wrong horse of mine' });
    const entries = await auditOf(server, 'session.refused', null);
    expect(entries).toHaveLength(before + 1);
    expect(entries[0]).toMatchObject({
      ...{ outcome: 'refused', object_type: 'user', object_id: person.id, actor_id: null },
      detail: { email_hmac: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(Object.keys(entries[0]?.detail ?? {})).toEqual(['email_hmac']);
    const text = JSON.stringify(entries);
    expect(text).not.toContain(person.email);
    expect(text).not.toContain('wrong horse');
    expect(text).not.toContain(hashSecret(person.email).toString('hex'));
  });

  it('A1 answers the sixth wrong try with 429 and a time, before it is hashed', async () => {
    const ip = newAddress();
    const client = await guestWithCookies(server);
    for (let turn = 0; turn < 5; turn++) {
      expect((await trySignIn(client, { password: 'wrong horse', ip })).statusCode).toBe(422);
    }
    verify.mockClear();
    const refused = await trySignIn(client, { ip });
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toEqual({ message: 'Too many requests.', code: 'too_many_requests' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const forToken = { email: person.email, password: TEST_PASSWORD, device_name: 'phone' };
    expect((await client.send('POST', '/api/tokens', { body: forToken, ip })).statusCode).toBe(429);
    expect(verify).not.toHaveBeenCalled();
  });

  it('A39 is not deceived by a forged X-Forwarded-For, nor by trying in parallel', async () => {
    const ip = newAddress();
    const client = await guestWithCookies(server);
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async (_, turn) => {
        const headers = { 'x-forwarded-for': `198.51.100.${turn}`, forwarded: `for=198.51.100.${turn}` };
        const body = { email: person.email, password: 'wrong horse' };
        return (await client.send('POST', '/login', { body, headers, ip })).statusCode;
      }),
    );
    expect(statuses.filter((status) => status === 422)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(195);
    expect(verify).toHaveBeenCalledTimes(5);
  });

  it('A39 behind one trusted proxy goes by the address that the proxy saw', async () => {
    const behindProxy = await startTestServer({ trustedProxyHops: 1 });
    try {
      const client = await guestWithCookies(behindProxy);
      const statuses: number[] = [];
      for (let turn = 0; turn < 8; turn++) {
        const headers = { 'x-forwarded-for': `198.51.100.${turn}, 203.0.113.9` };
        const body = { email: 'somebody@people.test', password: 'wrong horse' };
        statuses.push((await client.send('POST', '/login', { body, headers })).statusCode);
      }
      expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429, 429]);
    } finally {
      await behindProxy.close();
    }
  });

  it('A8 hashes a password again at sign-in when the cost has changed since', async () => {
    const old = await argon2.hash('not peppered', { memoryCost: 16, timeCost: 2 });
    await server.db.updateTable('users').set({ password_hash: old }).where('id', '=', person.id).execute();
    verify.mockResolvedValueOnce(true);
    expect((await trySignIn(await guestWithCookies(server), {})).statusCode).toBe(200);
    expect((await trySignIn(await guestWithCookies(server), {})).statusCode).toBe(200);
    const { password_hash: now } = await server.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
    expect(argon2.parseOptions(now)).toMatchObject({ memoryCost: 8, timeCost: 1 });
  });
});

describe('F-S3 strangers who guess', () => {
  const HOME = '203.0.113.20';

  /** Thirty wrong tries from addresses of the ward's network, and more from the ward's own. */
  async function guess(email: string): Promise<number[]> {
    const stranger = await guestWithCookies(server);
    const tries = Array.from({ length: 40 }, (_, turn) =>
      postLogin(stranger, { email, password: 'a wrong guess', ip: turn % 4 === 0 ? HOME : `203.0.113.${100 + turn}` }),
    );
    return (await Promise.all(tries)).map(({ statusCode }) => statusCode);
  }

  it('F-S3 A2 the nurse signs in from a device that she knows while strangers of her network guess; they stay limited', async () => {
    const device = await guestWithCookies(server);
    const signInAndOut = async (given: Parameters<typeof trySignIn>[1]) => {
      expect((await trySignIn(device, given)).statusCode).toBe(200);
      expect((await device.send('POST', '/logout')).statusCode).toBe(204);
    };
    await signInAndOut({ ip: HOME });
    const elsewhere = { email: person.email, ip: '203.0.113.99' };
    const guessing = guess(person.email);
    await signInAndOut(elsewhere);
    const guesses = await guessing;
    // 30 of the network, and 5 of the address that the account was signed in from.
    expect(guesses.filter((status) => status === 422).length).toBeLessThanOrEqual(35);
    expect(guesses).toContain(429);
    await signInAndOut(elsewhere);
    await signInAndOut({ ip: HOME });
    expect((await trySignIn(await guestWithCookies(server), elsewhere)).statusCode).toBe(429);
  });

  it('F-S3 the device cookie is set by a sign-in alone, is out of reach of scripts, and outlives the session', async () => {
    const client = await guestWithCookies(server);
    const refused = await trySignIn(client, { password: 'a wrong guess' });
    expect(cookieLine(refused, 'wardline_device')).toBe('');
    const line = cookieLine(await trySignIn(client, {}), 'wardline_device');
    expect(line).toContain('Max-Age=7776000');
    expect(line).toContain('HttpOnly');
    expect(line).toContain('SameSite=Lax');
    const left = await client.send('POST', '/logout');
    expect(cookieLine(left, 'wardline_device')).toBe('');
  });

  it('F-S3 A1 a device that one account has signed in on is a stranger to another', async () => {
    const device = await guestWithCookies(server);
    const ip = newAddress();
    await trySignIn(device, { ip });
    await device.send('POST', '/logout');
    const colleague = await makeUser(server.db, { passwordHash });
    for (let turn = 0; turn < 5; turn++) {
      await postLogin(device, { email: colleague.email, password: 'a wrong guess', ip });
    }
    expect((await postLogin(await guestWithCookies(server), { email: colleague.email, ip })).statusCode).toBe(429);
  });
});
