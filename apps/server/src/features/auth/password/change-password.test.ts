import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeResetLink } from '#/testing/factories/accounts.ts';
import { type MadeUser, makeUser, TEST_PASSWORD, testPasswordHash } from '#/testing/factories/users.ts';
import { mailsTo } from '#/testing/mailed-links.ts';
import {
  auditOf,
  guestWithCookies,
  newAddress,
  postLogin,
  signedIn,
  statusOf,
  type TestClient,
  withToken,
} from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';

const PASSWORD = 'violet tram over the harbour';

let server: TestServer;
let person: MadeUser;
let client: TestClient;

beforeAll(async () => {
  server = await startTestServer({ looksAfterSockets: false });
});
afterAll(() => server.close());
beforeEach(async () => {
  person = await makeUser(server.db, { passwordHash: await testPasswordHash(TEST_APP_KEY) });
  client = await signedIn(server, person.id);
});

interface Change {
  readonly current?: string;
  readonly password?: string;
  readonly confirmation?: string;
  readonly ip?: string;
}

function change({ current = TEST_PASSWORD, password = PASSWORD, confirmation, ip = newAddress() }: Change = {}) {
  const body = { current_password: current, password, password_confirmation: confirmation ?? password };
  return client.send('PUT', '/api/user/password', { body, ip });
}

describe('changing the password', () => {
  it('ACC-5 sets it, tells the person by mail and says since when it holds', async () => {
    expect((await change()).statusCode).toBe(204);
    const { email } = person;
    expect((await postLogin(await guestWithCookies(server), { email })).statusCode).toBe(422);
    expect((await postLogin(await guestWithCookies(server), { email, password: PASSWORD })).statusCode).toBe(200);
    const account = (await client.send('GET', '/api/user/account')).json();
    expect(Date.now() - Date.parse(account.password_changed_at)).toBeLessThan(60_000);
    const [mail] = await mailsTo(server, email);
    expect(mail?.subject).toBe('Your password for Wardline was changed');
    expect(mail?.text).toContain(`${server.baseUrl}/forgot-password`);
    expect(await auditOf(server, 'password.change', person.id)).toMatchObject([
      { object_type: 'user', object_id: person.id, detail: { ended: 0 } },
    ]);
  });

  it('A9 A10 ends every other session, token and socket at once; this one goes on', async () => {
    const other = await signedIn(server, person.id);
    const body = { email: person.email, password: TEST_PASSWORD, device_name: 'phone' };
    const made = await (await guestWithCookies(server)).send('POST', '/api/tokens', { body, ip: newAddress() });
    const bearer = withToken(server, made.json().token);
    const stranger = await signedIn(server, (await makeUser(server.db)).id);
    const [ours, theirs] = [await openSocket(server), await openSocket(server)];
    await ours.join(client, `private-App.Models.User.${person.id}`);
    await theirs.join(other, `private-App.Models.User.${person.id}`);
    for (const each of [client, other, bearer, stranger]) expect(await statusOf(each)).toBe(200);
    await change();
    expect(await theirs.closed).toBe(4009);
    for (const each of [other, bearer]) expect(await statusOf(each)).toBe(401);
    for (const each of [client, stranger]) expect(await statusOf(each)).toBe(200);
    await ours.settle();
    ours.close();
  });

  it('A4 takes the force of links that were mailed before', async () => {
    const token = await makeResetLink(server.db, { userId: person.id });
    await change();
    const body = { token, email: person.email, password: `${PASSWORD} 2`, password_confirmation: `${PASSWORD} 2` };
    const answer = await (await guestWithCookies(server)).send('POST', '/reset-password', { body });
    expect(answer.json().errors).toEqual({ email: ['This link is no longer valid. Ask for a new one.'] });
  });

  it('A1 asks for the current one and counts wrong ones as tries to sign in', async () => {
    const ip = newAddress();
    for (let turn = 0; turn < 5; turn++) {
      const refused = await change({ current: 'wrong horse', ip });
      expect(refused.json().errors).toEqual({ current_password: ['This is not your password.'] });
    }
    expect((await change({ ip })).statusCode).toBe(429);
    expect((await postLogin(await guestWithCookies(server), { email: person.email, ip })).statusCode).toBe(429);
    expect((await postLogin(await guestWithCookies(server), { email: person.email })).statusCode).toBe(200);
  });

  it('A1 takes back the tries before a right one', async () => {
    const ip = newAddress();
    const answers: number[] = [];
    let current = TEST_PASSWORD;
    for (let n = 1; n <= 6; n++) {
      const password = `${PASSWORD} ${n}`;
      answers.push((await change({ current, password, ip })).statusCode);
      current = password;
    }
    expect(answers).toEqual(Array(6).fill(204));
  });

  it('ACC-2 refuses one that is short, common, spelt twice differently, or holds the own name', async () => {
    const errorsOf = async (options: Change) => (await change(options)).json().errors;
    expect(await errorsOf({ password: 'only 14 signs.' })).toEqual({
      password: ['The password field must be at least 15 characters.'],
    });
    expect(await errorsOf({ password: 'qwertyuiop123456789' })).toEqual({
      password: ['This password is too easy to guess.'],
    });
    expect(await errorsOf({ confirmation: 'violet tram over the harbou' })).toEqual({
      password: ['The password field confirmation does not match.'],
    });
    expect(await errorsOf({ password: 'tango with ROBIN by the sea' })).toEqual({
      password: ['This password contains your name or your email address.'],
    });
    expect((await postLogin(await guestWithCookies(server), { email: person.email })).statusCode).toBe(200);
  });

  it('A9 of two at the same moment one holds, and signs the other out or is refused', async () => {
    const other = await signedIn(server, person.id);
    const body = (password: string) => ({ current_password: TEST_PASSWORD, password, password_confirmation: password });
    const answers = await Promise.all(
      [client, other].map((each, place) =>
        each.send('PUT', '/api/user/password', { body: body(`${PASSWORD} ${place}`), ip: newAddress() }),
      ),
    );
    const winners = answers.flatMap((answer, place) => (answer.statusCode === 204 ? [place] : []));
    expect(winners).toHaveLength(1);
    // Signed out where it came after the other had committed.
    expect([401, 422]).toContain(answers.find((answer) => answer.statusCode !== 204)?.statusCode);
    const signIn = { email: person.email, password: `${PASSWORD} ${winners[0]}` };
    expect((await postLogin(await guestWithCookies(server), signIn)).statusCode).toBe(200);
  });
});

describe('the profile', () => {
  it('ACC-5 takes another name, which every session shows at once', async () => {
    const other = await signedIn(server, person.id);
    expect(await statusOf(other)).toBe(200);
    const answer = await client.send('PATCH', '/api/user', { body: { name: '  Robin Neu ' } });
    expect(answer.json()).toMatchObject({ id: person.id, name: 'Robin Neu', email: person.email });
    for (const each of [client, other]) expect((await each.send('GET', '/api/user')).json().name).toBe('Robin Neu');
    expect(await auditOf(server, 'account.rename', person.id)).toMatchObject([{ object_id: person.id, detail: null }]);
  });

  it('A29 takes nothing else that the row has', async () => {
    const before = await server.db.selectFrom('users').selectAll().where('id', '=', person.id).execute();
    for (const column of Object.keys(before[0] ?? {}).filter((name) => name !== 'name')) {
      const answer = await client.send('PATCH', '/api/user', { body: { name: 'Robin Neu', [column]: null } });
      expect(answer.json().errors, column).toEqual({ [column]: ['This field is not known.'] });
    }
    expect(await server.db.selectFrom('users').selectAll().where('id', '=', person.id).execute()).toEqual(before);
  });
});
