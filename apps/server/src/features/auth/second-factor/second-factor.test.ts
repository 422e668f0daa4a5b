import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  codeOf,
  type MadeUser,
  makeApp,
  makeUser,
  TEST_PASSWORD,
  testPasswordHash,
} from '#/testing/factories/users.ts';
import { mailsTo } from '#/testing/mailed-links.ts';
import {
  actsOf,
  audited,
  auditOf,
  guestWithCookies,
  newAddress,
  postLogin,
  SESSION_COOKIE,
  signedIn,
  statusOf,
  type TestClient,
  withToken,
} from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';

const WRONG = 'This code is wrong or was used already. Enter the one that your app shows now.';

let server: TestServer;
let passwordHash: string;
let person: MadeUser;
let client: TestClient;

beforeAll(async () => {
  server = await startTestServer();
  passwordHash = await testPasswordHash(TEST_APP_KEY);
});
afterAll(() => server.close());
beforeEach(async () => {
  person = await makeUser(server.db, { passwordHash });
  client = await signedIn(server, person.id);
});

function giveApp(): Promise<void> {
  return makeApp(server.db, { userId: person.id, appKey: TEST_APP_KEY });
}

/** A browser in which the password was right. */
async function halfSignedIn({ remember = false } = {}): Promise<TestClient> {
  const browser = await guestWithCookies(server);
  const answer = await postLogin(browser, { email: person.email, remember });
  expect(answer.json()).toEqual({ two_factor: true });
  return browser;
}

function answer(browser: TestClient, body: Record<string, string>, ip = newAddress()) {
  return browser.send('POST', '/two-factor-challenge', { body, ip });
}

async function newRecoveryCodes(): Promise<string[]> {
  return (await client.send('POST', '/user/two-factor-recovery-codes')).json().recovery_codes;
}

/** A code that no other request of this test has used: those of the steps beside now's count too. */
const [EARLIER, NOW, LATER] = [() => codeOf(undefined, -1), () => codeOf(), () => codeOf(undefined, 1)];

describe('setting up an authenticator app', () => {
  it('ACC-3 counts from its first code on, gives ten recovery codes once, and tells the person by mail', async () => {
    expect((await client.send('POST', '/user/two-factor-authentication')).statusCode).toBe(200);
    const picture = (await client.send('GET', '/user/two-factor-qr-code')).json();
    const { secretKey } = (await client.send('GET', '/user/two-factor-secret-key')).json();
    expect(picture.svg).toMatch(/^<svg/);
    expect(new URL(picture.url).searchParams.get('secret')).toBe(secretKey);
    const plain = await guestWithCookies(server);
    expect((await postLogin(plain, { email: person.email })).json()).toEqual({ two_factor: false });

    const confirm = (code: string) =>
      client.send('POST', '/user/confirmed-two-factor-authentication', { body: { code } });
    expect((await confirm('000000')).json().errors.code).toHaveLength(1);
    const code = codeOf(secretKey);
    const confirmed = await confirm(code);
    const { recovery_codes: codes } = confirmed.json();
    expect(codes).toHaveLength(10);
    expect((await client.send('GET', '/user/two-factor-recovery-codes')).json()).toEqual(codes);
    const elsewhere = await signedIn(server, person.id);
    expect((await elsewhere.send('GET', '/user/two-factor-recovery-codes')).json()).toEqual([]);
    expect((await client.send('GET', '/user/two-factor-secret-key')).statusCode).toBe(404);
    expect((await client.send('GET', '/api/user/second-factors')).json()).toEqual({
      ...{ totp_confirmed_at: expect.any(String), recovery_codes_left: 10, has_short_password: false },
    });
    const [mail] = await mailsTo(server, person.email);
    expect(mail?.subject).toBe('An authenticator app was added at Wardline');
    for (const action of ['second_factor.begin', 'second_factor.add']) {
      expect(await auditOf(server, action, person.id)).toMatchObject([{ object_id: person.id, outcome: 'done' }]);
    }
    const { rows } =
      await sql`select t::text as row from totp_factors t union all select r::text from recovery_codes r`.execute(
        server.db,
      );
    const stored = JSON.stringify(rows);
    for (const secret of [secretKey, ...codes]) expect(stored).not.toContain(secret);
    // The code that turned it on is used.
    expect((await answer(await halfSignedIn(), { code })).statusCode).toBe(422);
  });

  it('ACC-3 a new phone takes the place of the old one with its first code, and keeps the recovery codes', async () => {
    await giveApp();
    await newRecoveryCodes();
    await client.send('POST', '/user/two-factor-authentication');
    expect((await answer(await halfSignedIn(), { code: NOW() })).statusCode).toBe(204);
    const { secretKey } = (await client.send('GET', '/user/two-factor-secret-key')).json();
    const body = { code: codeOf(secretKey) };
    const confirmed = await client.send('POST', '/user/confirmed-two-factor-authentication', { body });
    expect(confirmed.json()).toEqual({ recovery_codes: [] });
    expect((await answer(await halfSignedIn(), { code: LATER() })).statusCode).toBe(422);
    expect((await answer(await halfSignedIn(), { code: codeOf(secretKey, 1) })).statusCode).toBe(204);
    expect((await client.send('GET', '/api/user/second-factors')).json().recovery_codes_left).toBe(10);
  });

  it('ACC-3 ADM-3 each step is one entry that names the account; what changes nothing is none', async () => {
    await client.send('POST', '/user/two-factor-authentication');
    // Taken away before it counted: there was no factor.
    await client.send('DELETE', '/user/two-factor-authentication');
    expect((await client.send('POST', '/user/two-factor-recovery-codes')).json().errors).toEqual({
      code: ['Add a second factor first.'],
    });
    await client.send('POST', '/user/two-factor-authentication');
    const { secretKey } = (await client.send('GET', '/user/two-factor-secret-key')).json();
    const body = { code: codeOf(secretKey) };
    await client.send('POST', '/user/confirmed-two-factor-authentication', { body });
    expect((await client.send('POST', '/user/confirmed-two-factor-authentication', { body })).statusCode).toBe(422);
    await newRecoveryCodes();
    await halfSignedIn();
    for (let turn = 0; turn < 2; turn++) {
      expect((await client.send('DELETE', '/user/two-factor-authentication')).statusCode).toBe(200);
    }
    const account = ['user', person.id] as const;
    expect(await actsOf(server, person.id)).toEqual([
      audited('second_factor.begin', account),
      audited('second_factor.begin', account),
      audited('second_factor.add', account, { detail: { factor: 'totp' } }),
      audited('recovery_codes.renew', account),
      audited('second_factor.remove', account, { detail: { factor: 'totp' } }),
    ]);
    const challenged = await auditOf(server, 'session.challenge', null);
    expect(challenged.filter(({ object_id: whose }) => whose === person.id)).toMatchObject([
      { object_type: 'user', outcome: 'done', detail: {} },
    ]);
    const told = (await mailsTo(server, person.email)).map(({ subject }) => subject);
    expect(told.sort()).toEqual([
      'An authenticator app was added at Wardline',
      'New recovery codes at Wardline',
      'The authenticator app was removed at Wardline',
    ]);
  });

  it('ACC-3 new recovery codes end those before, and are told of by mail', async () => {
    await giveApp();
    const [[before = ''], [now = '']] = [await newRecoveryCodes(), await newRecoveryCodes()];
    const half = await halfSignedIn();
    expect((await answer(half, { recovery_code: before })).statusCode).toBe(422);
    expect((await answer(half, { recovery_code: now })).statusCode).toBe(204);
    const subjects = (await mailsTo(server, person.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject === 'New recovery codes at Wardline')).toHaveLength(2);
  });

  it('ACC-3 removing it lets the password alone sign in again, ends the recovery codes and is mailed', async () => {
    await giveApp();
    const [code = ''] = await newRecoveryCodes();
    const half = await halfSignedIn();
    expect((await client.send('DELETE', '/user/two-factor-authentication')).statusCode).toBe(200);
    expect((await answer(half, { recovery_code: code })).statusCode).toBe(422);
    expect((await postLogin(await guestWithCookies(server), { email: person.email })).json()).toEqual({
      two_factor: false,
    });
    expect((await mailsTo(server, person.email)).map((mail) => mail.subject)).toContain(
      'The authenticator app was removed at Wardline',
    );
    expect((await client.send('POST', '/user/two-factor-recovery-codes')).statusCode).toBe(422);
  });
});

describe('the second step', () => {
  beforeEach(giveApp);

  it('ACC-3 A5 is not asked for where the password is another one by then', async () => {
    const browser = await guestWithCookies(server);
    const { login } = await server.db.transaction().execute(async (tx) => {
      await sql`update users set password_hash = 'another one' where id = ${person.id}`.execute(tx);
      const login = postLogin(browser, { email: person.email });
      await untilBlocked(server.db, login);
      return { login };
    });
    expect((await login).json().errors.email).toEqual(['These credentials do not match our records.']);
    expect((await answer(browser, { code: NOW() })).statusCode).toBe(422);
    expect(await statusOf(browser)).toBe(401);
  });

  it('ACC-3 A5 signs in under a third session id; before it nobody is signed in, also not at the socket', async () => {
    const browser = await guestWithCookies(server);
    const ids = [browser.cookies.get(SESSION_COOKIE)];
    await postLogin(browser, { email: person.email, remember: true });
    ids.push(browser.cookies.get(SESSION_COOKIE));
    expect(browser.cookies.get('XSRF-TOKEN')).toMatch(/^guest[.]/);
    expect(await statusOf(browser)).toBe(401);
    const socket = await openSocket(server);
    expect(await socket.join(browser, `private-App.Models.User.${person.id}`)).toBe(401);
    socket.close();
    const done = await answer(browser, { code: NOW() });
    expect(done.statusCode).toBe(204);
    expect(String(done.headers['set-cookie'])).toContain('Max-Age=604800');
    ids.push(browser.cookies.get(SESSION_COOKIE));
    expect(new Set(ids).size).toBe(3);
    expect(await statusOf(browser)).toBe(200);
    expect(await auditOf(server, 'session.start', person.id)).toMatchObject([
      { detail: { remember: true, second: 'totp' } },
    ]);
  });

  it.each([
    ['no step', {}, 'Enter the code of your authenticator app.'],
    ['nothing', { code: null, recovery_code: null }, 'Enter the code of your authenticator app.'],
    ['a wrong code', { code: '000000' }, WRONG],
    ['letters', { code: 'no code' }, WRONG],
  ])('ACC-3 %s is refused with words, and the step can be tried again', async (_what, body, sentence) => {
    const browser = await halfSignedIn();
    const refused = await answer(browser, body as Record<string, string>);
    expect(refused.statusCode).toBe(422);
    expect(refused.json().errors).toEqual({ code: [sentence] });
    expect(await statusOf(browser)).toBe(401);
    expect((await answer(browser, { code: NOW() })).statusCode).toBe(204);
  });

  it('A3 a browser in which no password was right is refused, whatever it sends', async () => {
    const [browser, other] = [await guestWithCookies(server), await halfSignedIn()];
    const refused = await answer(browser, { code: NOW() });
    expect(refused.json().errors.code).toEqual(['This took too long. Go back and enter your password again.']);
    expect((await answer(other, { code: NOW() })).statusCode).toBe(204);
  });

  it('ACC-3 comes too late after ten minutes, after a new password, and for an account that was disabled', async () => {
    const late = await halfSignedIn();
    await server.db.updateTable('pending_sign_ins').set({ expires_at: sql`now()` }).execute();
    expect((await answer(late, { code: NOW() })).statusCode).toBe(422);
    const overtaken = await halfSignedIn();
    const password = 'violet tram over the harbour';
    const body = { current_password: TEST_PASSWORD, password, password_confirmation: password };
    expect((await client.send('PUT', '/api/user/password', { body, ip: newAddress() })).statusCode).toBe(204);
    expect((await answer(overtaken, { code: NOW() })).statusCode).toBe(422);
    const browser = await guestWithCookies(server);
    await postLogin(browser, { email: person.email, password });
    await server.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', person.id).execute();
    expect((await answer(browser, { code: NOW() })).statusCode).toBe(422);
  });

  it('ACC-3 a code of the app counts once, and none of an earlier step after it', async () => {
    expect((await answer(await halfSignedIn(), { code: LATER() })).statusCode).toBe(204);
    for (const code of [LATER(), NOW(), EARLIER()]) {
      const refused = await answer(await halfSignedIn(), { code });
      expect(refused.json().errors).toEqual({ code: [WRONG] });
    }
  });

  it.each(['code', 'recovery_code'] as const)('ACC-3 of 20 racers on one %s one wins', async (field) => {
    const given = field === 'code' ? NOW() : ((await newRecoveryCodes())[0] ?? '');
    const racers = await Promise.all(Array.from({ length: 20 }, () => halfSignedIn()));
    const answers = await Promise.all(racers.map((racer) => answer(racer, { [field]: given })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, ...Array(19).fill(422)]);
    const inside = await Promise.all(racers.map(statusOf));
    expect(inside.filter((status) => status === 200)).toHaveLength(1);
  });

  it('ACC-3 of 20 racers with different codes in one half-done sign-in one wins, and uses one code', async () => {
    const codes = await newRecoveryCodes();
    const browser = await halfSignedIn();
    const sent = [...codes, ...codes].map((code) => answer(browser, { recovery_code: code }));
    const answers = await Promise.all(sent);
    expect(answers.filter(({ statusCode }) => statusCode === 204)).toHaveLength(1);
    expect((await client.send('GET', '/api/user/second-factors')).json().recovery_codes_left).toBe(9);
  });

  it('ACC-3 a recovery code signs in once, however it is typed, and is mailed; new ones end the old', async () => {
    const [first = '', second = ''] = await newRecoveryCodes();
    const typed = ` ${first.toUpperCase().replace('-', ' ')}`;
    expect((await answer(await halfSignedIn(), { recovery_code: typed })).statusCode).toBe(204);
    expect((await answer(await halfSignedIn(), { recovery_code: first })).json().errors).toEqual({
      recovery_code: ['This recovery code is wrong or was used already.'],
    });
    expect((await mailsTo(server, person.email)).map((mail) => mail.subject)).toContain(
      'A recovery code was used at Wardline',
    );
    await newRecoveryCodes();
    expect((await answer(await halfSignedIn(), { recovery_code: second })).statusCode).toBe(422);
    const refusals = await auditOf(server, 'second_factor.refused', null);
    expect(refusals.filter(({ object_id: whose }) => whose === person.id)).toMatchObject([
      { object_type: 'user', outcome: 'refused', detail: { method: 'recovery_code' } },
      { outcome: 'refused', detail: { method: 'recovery_code' } },
    ]);
  });
});

describe('guessing', () => {
  it('A1 A2 who knows the password gets 100 guesses from any number of places, and the owner gets in meanwhile', async () => {
    await giveApp();
    const device = await halfSignedIn();
    expect((await answer(device, { code: NOW() })).statusCode).toBe(204);
    await device.send('POST', '/logout');
    const half = await halfSignedIn();
    const statuses: number[] = [];
    for (let turn = 0; turn < 110; turn++) statuses.push((await answer(half, { code: '000000' })).statusCode);
    expect(statuses.slice(0, 100)).toEqual(Array(100).fill(422));
    expect(statuses.slice(100)).toEqual(Array(10).fill(429));
    // A device on which the owner has signed in before.
    expect((await postLogin(device, { email: person.email })).json()).toEqual({ two_factor: true });
    expect((await answer(device, { code: LATER() })).statusCode).toBe(204);
    expect((await answer(half, { code: '000000' })).statusCode).toBe(429);
  });
});

describe('token mode', () => {
  it('ACC-3 a token needs the code too, and takes a recovery code', async () => {
    await giveApp();
    const [recoveryCode] = await newRecoveryCodes();
    const ask = async (more: Record<string, unknown>) => {
      const body = { email: person.email, password: TEST_PASSWORD, device_name: 'phone', ...more };
      return (await guestWithCookies(server)).send('POST', '/api/tokens', { body, ip: newAddress() });
    };
    const bare = await ask({});
    expect(bare.statusCode).toBe(422);
    expect(bare.json()).toMatchObject({ code: 'two_factor_required', errors: { code: [expect.any(String)] } });
    expect((await ask({ code: '000000' })).json().errors).toEqual({ code: [WRONG] });
    expect((await ask({ code: NOW(), password: 'not the password' })).json().errors).toHaveProperty('email');
    for (const more of [{ code: NOW() }, { recovery_code: recoveryCode }]) {
      const made = await ask(more);
      expect(made.statusCode).toBe(201);
      expect(await statusOf(withToken(server, made.json().token))).toBe(200);
      expect((await ask(more)).statusCode).toBe(422);
    }
  });
});

describe('the password beside a second factor', () => {
  const change = (password: string, current = TEST_PASSWORD) => {
    const body = { current_password: current, password, password_confirmation: password };
    return client.send('PUT', '/api/user/password', { body, ip: newAddress() });
  };
  const SHORT = 'vq7 lamp';

  it('ACC-2 may have 8 characters, which it may not alone; the last factor stays until it is longer', async () => {
    expect((await change(SHORT)).json().errors).toEqual({
      password: ['The password field must be at least 15 characters.'],
    });
    await giveApp();
    expect((await change('vq7lamp')).json().errors).toEqual({
      password: ['The password field must be at least 8 characters.'],
    });
    expect((await change('password')).statusCode).toBe(422);
    expect((await change(SHORT)).statusCode).toBe(204);
    expect((await client.send('GET', '/api/user/second-factors')).json().has_short_password).toBe(true);
    const kept = await client.send('DELETE', '/user/two-factor-authentication');
    expect(kept.statusCode).toBe(422);
    expect(kept.json().message).toContain('Change your password first');
    expect((await client.send('GET', '/api/user/second-factors')).json().totp_confirmed_at).not.toBeNull();
    expect((await change('violet tram over the harbour', SHORT)).statusCode).toBe(204);
    expect((await client.send('DELETE', '/user/two-factor-authentication')).statusCode).toBe(200);
  });
});
