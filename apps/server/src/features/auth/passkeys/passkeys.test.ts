import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import {
  createSoftAuthenticator,
  type Forgery,
  localhostOf,
  type SoftAuthenticator,
} from '#/testing/counterparts/soft-authenticator.ts';
import { type MadeUser, makeApp, makeUser, testPasswordHash } from '#/testing/factories/users.ts';
import { mailsTo } from '#/testing/mailed-links.ts';
import {
  auditOf,
  guestWithCookies,
  newAddress,
  postLogin,
  SESSION_COOKIE,
  signedIn,
  statusOf,
  type TestClient,
} from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';

const NOT_ADDED = { credential: ['The passkey could not be added. Try again.'] };
const NOT_TAKEN = { credential: ['This passkey was not accepted. Sign in with your password.'] };

let server: TestServer;
let person: MadeUser;
let client: TestClient;
let phone: SoftAuthenticator;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  person = await makeUser(server.db, { passwordHash: await testPasswordHash(TEST_APP_KEY) });
  client = await signedIn(server, person.id);
  phone = createSoftAuthenticator(localhostOf(server.baseUrl));
});

async function begin(who = client): Promise<string> {
  return (await who.send('POST', '/api/user/passkeys/options')).json().challenge;
}

function add(credential: unknown, who = client) {
  return who.send('POST', '/api/user/passkeys', { body: { name: 'Work phone', credential } });
}

async function added(): Promise<string> {
  const made = await add(phone.register(await begin()));
  expect(made.statusCode).toBe(201);
  return made.json().id;
}

/** A browser that has asked for a challenge. */
async function challenged() {
  const browser = await guestWithCookies(server);
  const options = (await browser.send('POST', '/api/passkeys/options', { ip: newAddress() })).json();
  return { browser, options, challenge: String(options.challenge) };
}

function enter(browser: TestClient, credential: unknown, remember = false) {
  return browser.send('POST', '/api/passkeys/sign-in', { body: { credential, remember }, ip: newAddress() });
}

/** What is wrong with an answer, at registration as at sign-in. */
const FORGERIES: readonly [string, Forgery][] = [
  ['of another page', { origin: 'https://evil.example' }],
  ['of another port', { origin: 'http://localhost:1' }],
  ['for another site', { rpId: 'evil.example' }],
  ['to another challenge', { challenge: 'A'.repeat(43) }],
  ['of another kind', { type: 'payment.get' }],
  ['by somebody who did not unlock it', { isVerified: false }],
];

describe('adding a passkey', () => {
  it('ACC-3 is kept with its name, listed, told by mail and audited; it can be renamed and removed', async () => {
    const options = (await client.send('POST', '/api/user/passkeys/options')).json();
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Wardline' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const made = await add(phone.register(options.challenge));
    expect(made.statusCode).toBe(201);
    const { id } = made.json();
    const renamed = await client.send('PUT', `/api/user/passkeys/${id}`, { body: { name: 'Old phone' } });
    expect(renamed.json()).toMatchObject({ id, name: 'Old phone', last_used_at: null });
    expect((await client.send('GET', '/api/user/passkeys')).json().data).toEqual([renamed.json()]);
    const again = (await client.send('POST', '/api/user/passkeys/options')).json();
    expect(again.excludeCredentials).toMatchObject([{ id: phone.id }]);
    const stranger = await signedIn(server, (await makeUser(server.db)).id);
    const theirs = { body: { name: 'Not mine' } };
    expect((await stranger.send('PUT', `/api/user/passkeys/${id}`, theirs)).statusCode).toBe(404);
    expect((await stranger.send('DELETE', `/api/user/passkeys/${id}`)).statusCode).toBe(404);
    expect((await client.send('DELETE', `/api/user/passkeys/${id}`)).statusCode).toBe(204);
    expect((await mailsTo(server, person.email)).map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(['A passkey was added at Wardline', 'A passkey was removed at Wardline']),
    );
    for (const action of ['passkey.add', 'passkey.rename', 'passkey.remove']) {
      expect(await auditOf(server, action, person.id)).toMatchObject([{ object_type: 'passkey', object_id: id }]);
    }
  });

  it('ACC-3 are listed in the order in which they were added', async () => {
    const added = [2, 1, 3].map((day) => ({
      ...{ id: newId(), user_id: person.id, name: `Of day ${day}`, created_at: `2026-01-0${day}T08:00:00Z` },
      ...{ credential_id: Buffer.from(newId()), public_key: Buffer.from('key') },
    }));
    await server.db.insertInto('passkeys').values(added).execute();
    const { data } = (await client.send('GET', '/api/user/passkeys')).json();
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['Of day 1', 'Of day 2', 'Of day 3']);
  });

  it.each(FORGERIES)('ACC-3 one %s is refused', async (_what, forgery) => {
    expect((await add(phone.register(await begin(), forgery))).json().errors).toEqual(NOT_ADDED);
    expect((await client.send('GET', '/api/user/passkeys')).json().data).toEqual([]);
  });

  it('ACC-3 an account has 20 at most, also where several sessions began one at once', async () => {
    const challenge = await begin();
    const rows = Array.from({ length: 20 }, (_, at) => ({
      ...{ id: newId(), user_id: person.id, name: `Key ${at}` },
      ...{ credential_id: Buffer.from(newId()), public_key: Buffer.from('key') },
    }));
    await server.db.insertInto('passkeys').values(rows).execute();
    const full = { name: ['An account has 20 passkeys at most. Remove one first.'] };
    expect((await add(phone.register(challenge))).json().errors).toEqual(full);
    expect((await client.send('POST', '/api/user/passkeys/options')).json().errors).toEqual(full);
    expect((await client.send('GET', '/api/user/passkeys')).json().data).toHaveLength(20);
  });

  it('ACC-3 a challenge counts once, in its session, for five minutes; a passkey belongs to one account', async () => {
    const challenge = await begin();
    expect((await add(phone.register(challenge, { origin: 'https://evil.example' }))).statusCode).toBe(422);
    expect((await add(phone.register(challenge))).json().errors).toEqual(NOT_ADDED);
    const elsewhere = await signedIn(server, person.id);
    expect((await add(phone.register(await begin()), elsewhere)).json().errors).toEqual(NOT_ADDED);
    const late = await begin();
    await server.db.updateTable('passkey_challenges').set({ expires_at: sql`now()` }).execute();
    expect((await add(phone.register(late))).json().errors).toEqual(NOT_ADDED);
    await added();
    const other = await signedIn(server, (await makeUser(server.db)).id);
    expect((await add(phone.register(await begin(other)), other)).json().errors).toEqual(NOT_ADDED);
  });
});

describe('signing in with a passkey', () => {
  beforeEach(async () => void (await added()));

  it('ACC-3 A3 A5 needs no password, names nobody beforehand, and starts a session under a new id', async () => {
    const { browser, options, challenge } = await challenged();
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
    const before = browser.cookies.get(SESSION_COOKIE);
    expect((await enter(browser, phone.answer(challenge), true)).statusCode).toBe(204);
    expect(browser.cookies.get(SESSION_COOKIE)).not.toBe(before);
    expect((await browser.send('GET', '/api/user')).json().id).toBe(person.id);
    const [passkey] = (await client.send('GET', '/api/user/passkeys')).json().data;
    expect(passkey.last_used_at).not.toBeNull();
    expect(await auditOf(server, 'session.start', person.id)).toMatchObject([
      { detail: { remember: true, second: 'passkey' } },
    ]);
  });

  it('ACC-3 stands in for the second step after the password', async () => {
    await makeApp(server.db, { userId: person.id, appKey: TEST_APP_KEY });
    const browser = await guestWithCookies(server);
    expect((await postLogin(browser, { email: person.email })).json()).toEqual({ two_factor: true });
    const { challenge } = (await browser.send('POST', '/api/passkeys/options')).json();
    expect((await enter(browser, phone.answer(challenge))).statusCode).toBe(204);
    expect(await statusOf(browser)).toBe(200);
  });

  it.each([...FORGERIES, ['of registration', { type: 'webauthn.create' }] as const])(
    'ACC-3 an answer %s is refused, and the challenge is gone',
    async (_what, forgery) => {
      const { browser, challenge } = await challenged();
      expect((await enter(browser, phone.answer(challenge, forgery))).json().errors).toEqual(NOT_TAKEN);
      expect((await enter(browser, phone.answer(challenge))).json().errors).toEqual(NOT_TAKEN);
      expect(await statusOf(browser)).toBe(401);
    },
  );

  it('ACC-3 an answer is refused a second time, in another browser, late, forged, unknown, removed or disabled', async () => {
    const first = await challenged();
    const answer = phone.answer(first.challenge);
    const other = await challenged();
    expect((await enter(other.browser, answer)).json().errors).toEqual(NOT_TAKEN);
    const racers = await Promise.all(Array.from({ length: 20 }, () => enter(first.browser, answer)));
    expect(racers.filter(({ statusCode }) => statusCode === 204)).toHaveLength(1);
    const late = await challenged();
    await server.db.updateTable('passkey_challenges').set({ expires_at: sql`now()` }).execute();
    expect((await enter(late.browser, phone.answer(late.challenge))).json().errors).toEqual(NOT_TAKEN);
    const stranger = createSoftAuthenticator(localhostOf(server.baseUrl));
    const unknown = await challenged();
    expect((await enter(unknown.browser, stranger.answer(unknown.challenge))).json().errors).toEqual(NOT_TAKEN);
    const forged = await challenged();
    const stolen = { ...stranger.answer(forged.challenge), id: phone.id, rawId: phone.id };
    expect((await enter(forged.browser, stolen)).json().errors).toEqual(NOT_TAKEN);
    for (const nonsense of [{}, { id: 7 }, { id: phone.id }, { id: phone.id, response: { clientDataJSON: 'x' } }]) {
      const { browser } = await challenged();
      expect((await enter(browser, nonsense)).json().errors).toEqual(NOT_TAKEN);
    }
    const disabled = await challenged();
    await server.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', person.id).execute();
    expect((await enter(disabled.browser, phone.answer(disabled.challenge))).json().errors).toEqual(NOT_TAKEN);
    await server.db.updateTable('users').set({ disabled_at: null }).where('id', '=', person.id).execute();
    await server.db.deleteFrom('passkeys').where('user_id', '=', person.id).execute();
    const removed = await challenged();
    expect((await enter(removed.browser, phone.answer(removed.challenge))).json().errors).toEqual(NOT_TAKEN);
  });

  it('ACC-3 a counter that does not rise betrays a copy', async () => {
    const use = async (counter: number) => {
      const { browser, challenge } = await challenged();
      return (await enter(browser, phone.answer(challenge, { counter }))).statusCode;
    };
    const laptop = createSoftAuthenticator(localhostOf(server.baseUrl));
    const { id: laptopId } = (await add(laptop.register(await begin()))).json();
    expect([await use(5), await use(5), await use(4), await use(6)]).toEqual([204, 422, 422, 204]);
    // Of that one alone: another of the same person counts by itself.
    const others = (await client.send('GET', '/api/user/passkeys')).json().data;
    expect(others.find(({ id }: { id: string }) => id === laptopId).last_used_at).toBeNull();
    const { browser, challenge } = await challenged();
    expect((await enter(browser, laptop.answer(challenge, { counter: 1 }))).statusCode).toBe(204);
    const refusals = await auditOf(server, 'passkey.refused', null);
    const refused = { object_type: 'user', outcome: 'refused' };
    expect(refusals.filter(({ object_id }) => object_id === person.id)).toMatchObject([refused, refused]);
  });
});
