import * as argon2 from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeResetLink } from '#/testing/factories/accounts.ts';
import { type MadeUser, makeUser, TEST_PASSWORD, testPasswordHash } from '#/testing/factories/users.ts';
import { linkMailedTo, mailsTo } from '#/testing/mailed-links.ts';
import { insertedBy, statementsOf } from '#/testing/same-work.ts';
import {
  auditOf,
  guestWithCookies,
  newAddress,
  postLogin,
  signedIn,
  statusOf,
  withToken,
} from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';

vi.mock(import('@node-rs/argon2'), async (original) => {
  const actual = await original();
  return { ...actual, hash: vi.fn(actual.hash) };
});
const hash = vi.mocked(argon2.hash);

const PASSWORD = 'violet tram over the harbour';
const NO_LINK = { email: ['This link is no longer valid. Ask for a new one.'] };

let server: TestServer;
let person: MadeUser;

beforeAll(async () => {
  server = await startTestServer({ looksAfterSockets: false });
});
afterAll(() => server.close());
beforeEach(async () => {
  person = await makeUser(server.db, { passwordHash: await testPasswordHash(TEST_APP_KEY) });
});

async function forgot(email: string, { ip = newAddress(), headers = {} } = {}) {
  return (await guestWithCookies(server)).send('POST', '/forgot-password', { body: { email }, ip, headers });
}

interface Reset {
  readonly token: string;
  readonly email?: string;
  readonly password?: string;
}

async function reset({ token, email = person.email, password = PASSWORD }: Reset) {
  const body = { token, email, password, password_confirmation: password };
  return (await guestWithCookies(server)).send('POST', '/reset-password', { body, ip: newAddress() });
}

async function mailedToken(email = person.email): Promise<string> {
  const { path } = await linkMailedTo(server, email);
  const [, token = '', query = ''] = /^\/password-reset\/([^?]*)\?(.*)$/.exec(path) ?? [];
  expect(new URLSearchParams(query).get('email')).toBe(email);
  return token;
}

describe('a forgotten password', () => {
  it('A4 is replaced by the mailed link: the new one signs in, the old one does not, and the person is told', async () => {
    expect((await forgot(person.email)).statusCode).toBe(200);
    const token = await mailedToken();
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const answer = await reset({ token });
    expect(answer.json()).toEqual({ status: 'Your password is set. Sign in with it.' });
    const { email } = person;
    expect((await postLogin(await guestWithCookies(server), { email })).statusCode).toBe(422);
    expect((await postLogin(await guestWithCookies(server), { email, password: PASSWORD })).statusCode).toBe(200);
    expect((await mailsTo(server, email)).at(-1)?.subject).toBe('Your password for Wardline was changed');
    expect(await auditOf(server, 'password.reset', person.id)).toMatchObject([{ object_id: person.id }]);
    const links = await auditOf(server, 'password.reset_link', null);
    expect(links.filter(({ object_id }) => object_id === person.id)).toHaveLength(1);
    const account = (await (await signedIn(server, person.id)).send('GET', '/api/user/account')).json();
    expect(account.password_changed_at).toEqual(expect.any(String));
  });

  it('A3 is answered alike for everybody; an unknown address and a disabled account are mailed nothing', async () => {
    const disabled = await makeUser(server.db, { disabledAt: new Date() });
    const unknown = `${crypto.randomUUID()}@people.test`;
    const answers = [];
    for (const email of [person.email, unknown, disabled.email]) {
      const { statusCode, payload, headers } = await forgot(email);
      const { date, 'set-cookie': cookies, ...others } = headers;
      answers.push({
        statusCode,
        payload,
        others,
        cookies: [cookies ?? []].flat().length,
        hasDate: date !== undefined,
      });
    }
    expect(answers[0]?.payload).toBe(
      JSON.stringify({ status: 'If there is an account with this address, a link is on its way.' }),
    );
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(await mailsTo(server, person.email)).toHaveLength(1);
    expect(await mailsTo(server, unknown)).toEqual([]);
    expect(await mailsTo(server, disabled.email)).toEqual([]);
  });

  it('A3 does the same work for a known address, an unknown one and a disabled account', async () => {
    const disabled = await makeUser(server.db, { disabledAt: new Date() });
    const ofKnown = await statementsOf(() => forgot(person.email));
    expect(insertedBy(ofKnown)).toEqual(['jobs', 'audit_entries']);
    expect(await statementsOf(() => forgot(`${crypto.randomUUID()}@people.test`))).toEqual(ofKnown);
    expect(await statementsOf(() => forgot(disabled.email))).toEqual(ofKnown);
  });

  it('A4 a link is used once: of 50 who follow it at the same moment one sets the password', async () => {
    const token = await makeResetLink(server.db, { userId: person.id });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, racer) => reset({ token, password: `${PASSWORD} ${racer}` })),
    );
    const statuses = answers.map((answer) => answer.statusCode).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 422)]);
    const winner = answers.findIndex((answer) => answer.statusCode === 200);
    const signIn = { email: person.email, password: `${PASSWORD} ${winner}` };
    expect((await postLogin(await guestWithCookies(server), signIn)).statusCode).toBe(200);
  });

  it('A3 A4 an unknown, late, used or foreign link is refused alike, after the same work', async () => {
    const late = await makeResetLink(server.db, { userId: person.id, expiresAt: new Date(Date.now() - 1) });
    const used = await makeResetLink(server.db, { userId: person.id });
    await reset({ token: used });
    const other = await makeUser(server.db);
    const foreign = await makeResetLink(server.db, { userId: other.id });
    const disabled = await makeUser(server.db, { disabledAt: new Date() });
    const ofDisabled = await makeResetLink(server.db, { userId: disabled.id });
    const tries: Reset[] = [
      { token: 'A'.repeat(43) },
      { token: late },
      { token: used },
      { token: foreign },
      { token: foreign, email: 'nobody@people.test' },
      { token: ofDisabled, email: disabled.email },
    ];
    const answers = [];
    for (const wrong of tries) {
      hash.mockClear();
      const answer = await reset(wrong);
      expect(hash).toHaveBeenCalledOnce();
      expect(answer.statusCode).toBe(422);
      answers.push(answer.json());
    }
    for (const answer of answers) expect(answer).toEqual({ ...answers[0], errors: NO_LINK });
    expect((await reset({ token: foreign, email: other.email })).statusCode).toBe(200);
  });

  it('A4 a link is good for 30 minutes, a newer one takes its force, and a fourth in an hour is not mailed', async () => {
    await forgot(person.email);
    const first = await mailedToken();
    const [row] = await server.db.selectFrom('password_resets').selectAll().where('user_id', '=', person.id).execute();
    expect(Number(row?.expires_at) - Number(row?.created_at)).toBe(30 * 60_000);
    await forgot(person.email);
    const second = await mailedToken();
    expect((await reset({ token: first })).json().errors).toEqual(NO_LINK);
    await forgot(person.email);
    const third = await mailedToken();
    expect((await forgot(person.email)).statusCode).toBe(200);
    expect(await mailsTo(server, person.email)).toHaveLength(3);
    expect((await reset({ token: second })).json().errors).toEqual(NO_LINK);
    expect((await reset({ token: third })).statusCode).toBe(200);
  });

  it('A4 a job that runs twice mails a link that works, and counts once', async () => {
    const linksOf = () =>
      server.db
        .selectFrom('password_resets')
        .select('job_id')
        .where('user_id', '=', person.id)
        .orderBy('created_at')
        .execute();
    for (let turn = 0; turn < 3; turn++) {
      await forgot(person.email);
      await server.runJobs();
    }
    const before = await linksOf();
    const last = before.at(-1)?.job_id ?? '';
    const payload = JSON.stringify({ email: person.email });
    await server.db.insertInto('jobs').values({ id: last, kind: 'auth.forgot_password', payload }).execute();
    const token = await mailedToken();
    expect(await mailsTo(server, person.email)).toHaveLength(4);
    expect(await linksOf()).toEqual(before);
    expect((await reset({ token })).statusCode).toBe(200);
  });

  it('A1 one place may ask ten times an hour', async () => {
    const ip = newAddress();
    const statuses: number[] = [];
    for (let turn = 0; turn < 11; turn++) statuses.push((await forgot(`${turn}@people.test`, { ip })).statusCode);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });

  it('A4 F-S7 the link leads to the configured origin or the one listened on, whatever host a proxy names; another Host is refused', async () => {
    expect((await forgot(person.email, { headers: { host: 'evil.example' } })).statusCode).toBe(400);
    expect(await mailsTo(server, person.email)).toEqual([]);
    const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    await forgot(person.email, { headers });
    expect((await linkMailedTo(server, person.email)).origin).toBe(server.baseUrl);
    const behindName = await startTestServer({ publicUrl: 'http://chat.hospital.test' });
    try {
      const { email } = await makeUser(behindName.db);
      const browser = await guestWithCookies(behindName);
      await browser.send('POST', '/forgot-password', { body: { email }, headers });
      expect((await linkMailedTo(behindName, email)).origin).toBe('http://chat.hospital.test');
    } finally {
      await behindName.close();
    }
  });

  it('A9 A10 setting a password ends every session, token and socket of the person, and of nobody else', async () => {
    const [first, second] = [await signedIn(server, person.id), await signedIn(server, person.id)];
    const body = { email: person.email, password: TEST_PASSWORD, device_name: 'phone' };
    const made = await (await guestWithCookies(server)).send('POST', '/api/tokens', { body, ip: newAddress() });
    const bearer = withToken(server, made.json().token);
    const stranger = await signedIn(server, (await makeUser(server.db)).id);
    const socket = await openSocket(server);
    expect(await socket.join(first, `private-App.Models.User.${person.id}`)).toBe('joined');
    for (const client of [first, second, bearer, stranger]) expect(await statusOf(client)).toBe(200);
    await reset({ token: await makeResetLink(server.db, { userId: person.id }) });
    expect(await socket.closed).toBe(4009);
    for (const client of [first, second, bearer]) expect(await statusOf(client)).toBe(401);
    expect(await statusOf(stranger)).toBe(200);
  });

  it('A9 setting a password forgets the address that whoever had the account before asked for', async () => {
    const intruder = await signedIn(server, person.id);
    const body = { email: `intruder.${person.email}`, current_password: TEST_PASSWORD };
    await intruder.send('PUT', '/api/user/email', { body, ip: newAddress() });
    await reset({ token: await makeResetLink(server.db, { userId: person.id }) });
    const account = (await (await signedIn(server, person.id)).send('GET', '/api/user/account')).json();
    expect(account.pending_email).toBeNull();
  });

  it('ACC-2 a refused password leaves the link its force', async () => {
    const token = await makeResetLink(server.db, { userId: person.id });
    const weak = await reset({ token, password: 'passwordpassword' });
    expect(weak.json().errors).toEqual({ password: ['This password is too easy to guess.'] });
    const named = await reset({ token, password: 'tango with robin by the sea' });
    expect(named.json().errors).toEqual({ password: ['This password contains your name or your email address.'] });
    expect((await reset({ token })).statusCode).toBe(200);
  });

  it('ACC-2 a password of exactly 15 characters is none that needs a second factor', async () => {
    const token = await makeResetLink(server.db, { userId: person.id });
    expect((await reset({ token, password: 'violet tram 7qz' })).statusCode).toBe(200);
    const factors = await (await signedIn(server, person.id)).send('GET', '/api/user/second-factors');
    expect(factors.json().has_short_password).toBe(false);
  });

  it('A45 audits the address that was given as an HMAC only', async () => {
    await forgot(person.email);
    const [entry] = await auditOf(server, 'password.forgot', null);
    expect(entry?.detail).toEqual({ email_hmac: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });
});
