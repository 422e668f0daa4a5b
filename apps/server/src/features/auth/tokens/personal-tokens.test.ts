import { ABILITIES, PERSONAL_TOKEN_LIMIT } from '@wardline/contract/account/personal-tokens.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import {
  type MadeUser,
  makePasskey,
  makePersonalToken,
  makeSession,
  makeUser,
  TEST_PASSWORD,
  testPasswordHash,
} from '#/testing/factories/users.ts';
import { auditOf, guest, signedIn, statusOf, type TestClient, withSession, withToken } from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';

let server: TestServer;
let passwordHash: string;
let person: MadeUser;
let browser: TestClient;

beforeAll(async () => {
  server = await startTestServer();
  passwordHash = await testPasswordHash(TEST_APP_KEY);
});
afterAll(() => server.close());
beforeEach(async () => {
  person = await makeUser(server.db, { passwordHash });
  browser = await signedIn(server, person.id);
});

const wanted = { name: 'Bed board', abilities: ['account:read', 'chats:read'], expires_in_days: 30 };
const make = (client = browser, body: object = wanted) => client.send('POST', '/api/user/tokens', { body });
const list = async () => (await browser.send('GET', '/api/user/tokens')).json().data;

/** A token as the settings make it, and who uses it. */
async function madeToken(body: object = wanted) {
  const made = (await make(browser, body)).json();
  return { id: made.access_token.id as string, bearer: withToken(server, made.plain_text_token) };
}

describe('making one', () => {
  it('ACC-5 shows it once, keeps its hash, and lists it with abilities and days', async () => {
    const response = await make();
    expect(response.statusCode).toBe(201);
    const { access_token: token, plain_text_token: secret } = response.json();
    expect(secret).toMatch(/^wardline_[\w-]{43}$/);
    expect(token).toMatchObject({ name: 'Bed board', abilities: ['account:read', 'chats:read'], last_used_at: null });
    const days = (Date.parse(token.expires_at) - Date.parse(token.created_at)) / 86_400_000;
    expect(days).toBe(30);
    const listed = await browser.send('GET', '/api/user/tokens');
    expect(listed.json().data).toEqual([token]);
    expect(listed.payload).not.toContain(secret);
    expect(await auditOf(server, 'token.make', person.id)).toMatchObject([
      { object_type: 'access_token', object_id: token.id, detail: { abilities: wanted.abilities, days: 30 } },
    ]);
  });

  it('ACC-5 answers with the one that was made, also where another was begun later and stored before', async () => {
    const { id } = await madeToken();
    const later = server.db.updateTable('access_tokens').set({ created_at: new Date(Date.now() + 60_000) });
    await later.where('id', '=', id).execute();
    expect((await make(browser, { ...wanted, name: 'Second' })).json().access_token.name).toBe('Second');
  });

  it('ACC-5 asks for the password again, of a browser and of an app', async () => {
    const unconfirmed = withSession(server, await makeSession(server.db, { userId: person.id, isConfirmed: false }));
    expect((await make(unconfirmed)).statusCode).toBe(423);
    const { token } = await makePersonalToken(server.db, { userId: person.id, abilities: ['*'] });
    const app = withToken(server, token);
    expect((await make(app)).statusCode).toBe(423);
    await app.send('POST', '/user/confirm-password', { body: { password: TEST_PASSWORD } });
    expect((await make(app)).statusCode).toBe(201);
  });

  it('ACC-5 lasts 90 days unless said otherwise, and no longer than 365', async () => {
    const { expires_in_days: _, ...usual } = wanted;
    const { access_token: token } = (await make(browser, usual)).json();
    expect((Date.parse(token.expires_at) - Date.parse(token.created_at)) / 86_400_000).toBe(90);
    for (const expires_in_days of [0, 366, 1.5, '30', null]) {
      expect((await make(browser, { ...wanted, expires_in_days })).statusCode, String(expires_in_days)).toBe(422);
    }
  });

  it.each([[[]], [['*']], [['chats:read', 'chats:read']], [['chats:write']], [['chats:read', '*']]])(
    'ACC-5 takes no other abilities than those there are: %j',
    async (abilities) => {
      expect((await make(browser, { ...wanted, abilities })).statusCode).toBe(422);
      expect(await list()).toEqual([]);
    },
  );

  it('ACC-5 tells the person by mail what it may do, without its secret or its name', async () => {
    const { plain_text_token: secret } = (await make(browser, { ...wanted, name: 'Click evil.test' })).json();
    await server.runJobs();
    const mail = server.mails.findLast(({ to }) => to === person.email);
    expect(mail?.subject).toBe('A personal access token was made at Wardline');
    expect(mail?.text).toContain('Read your chats, their files and examinations');
    expect(mail?.text).not.toContain('Send messages');
    for (const hidden of [secret, 'evil.test']) expect(mail?.text).not.toContain(hidden);
  });

  it('ACC-5 of many at the same moment makes no more than a person may have', async () => {
    const made = await Promise.all(Array.from({ length: PERSONAL_TOKEN_LIMIT + 10 }, () => make()));
    const statuses = made.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 201)).toHaveLength(PERSONAL_TOKEN_LIMIT);
    expect(statuses.filter((status) => status === 409)).toHaveLength(10);
    expect(await list()).toHaveLength(PERSONAL_TOKEN_LIMIT);
  });
});

describe('using one', () => {
  it('ACC-5 has the rights that its person has now, and the audit tells of the first use once', async () => {
    const facility = await makeFacility(server.db);
    const membershipId = await makeMembership(server.db, { userId: person.id, facility, roles: ['clinician'] });
    const { id, bearer } = await madeToken();
    const chats = () => bearer.send('GET', `/api/facilities/${facility.id}/chats?state=open`);
    expect((await chats()).statusCode).toBe(200);
    expect((await chats()).statusCode).toBe(200);
    expect(await auditOf(server, 'token.first_use', person.id)).toMatchObject([{ object_id: id }]);
    const [listed] = await list();
    expect(Date.parse(listed.last_used_at) % 3_600_000).toBe(0);
    await server.db.updateTable('memberships').set({ ended_at: new Date() }).where('id', '=', membershipId).execute();
    await expect.poll(async () => (await chats()).statusCode, { timeout: 2_000 }).toBe(404);
  });

  it('ACC-5 is not among the sessions, and is not ended as one', async () => {
    const { id, bearer } = await madeToken();
    const sessions = (await browser.send('GET', '/api/user/sessions')).json().data;
    expect(sessions.map(({ kind }: { kind: string }) => kind)).toEqual(['session']);
    expect((await browser.send('DELETE', `/api/user/sessions/${id}`)).statusCode).toBe(404);
    expect(await statusOf(bearer)).toBe(200);
  });

  it('ACC-5 goes on without being used, to its day', async () => {
    const { id, bearer } = await madeToken();
    const old = new Date(Date.now() - 60 * 86_400_000);
    await server.db
      .updateTable('access_tokens')
      .set({ created_at: old, last_used_at: old })
      .where('id', '=', id)
      .execute();
    expect(await statusOf(bearer)).toBe(200);
    await server.db.updateTable('access_tokens').set({ expires_at: new Date() }).where('id', '=', id).execute();
    await expect.poll(() => statusOf(bearer), { timeout: 2_000 }).toBe(401);
    expect(await list()).toEqual([]);
  });

  it('ACC-3 opens a facility that needs a second factor only where one was given in the session that made it', async () => {
    const facility = await makeFacility(server.db);
    await makeMembership(server.db, { userId: person.id, facility, roles: ['clinician'] });
    await makePasskey(server.db, person.id);
    await server.db
      .updateTable('facilities')
      .set({ second_factor_from: '2020-01-01' })
      .where('id', '=', facility.id)
      .execute();
    const withPasswordAlone = withSession(server, await makeSession(server.db, { userId: person.id }));
    const secretOf = async (client: TestClient) => (await make(client)).json().plain_text_token as string;
    const chats = (token: string) =>
      withToken(server, token).send('GET', `/api/facilities/${facility.id}/chats?state=open`);
    expect((await chats(await secretOf(withPasswordAlone))).json().code).toBe('second_factor_needed');
    expect((await chats(await secretOf(browser))).statusCode).toBe(200);
  });

  it('ACC-5 A16 makes no token, ends none, and signs nobody out', async () => {
    const { id, bearer } = await madeToken({ ...wanted, abilities: [...ABILITIES] });
    for (const [method, url] of [
      ['POST', '/api/user/tokens'],
      ['GET', '/api/user/tokens'],
      ['DELETE', `/api/user/tokens/${id}`],
      ['POST', '/user/confirm-password'],
      ['PUT', '/api/user/password'],
      ['POST', '/user/two-factor-authentication'],
      ['DELETE', '/api/user/sessions'],
    ] as const) {
      expect((await bearer.send(method, url, { body: {} })).statusCode, `${method} ${url}`).toBe(403);
    }
    expect(await list()).toHaveLength(1);
  });
});

describe('ending one', () => {
  /** A token in use, by request and by socket. */
  async function inUse() {
    const { id, bearer } = await madeToken();
    const socket = await openSocket(server);
    expect(await socket.join(bearer, `private-App.Models.User.${person.id}`)).toBe('joined');
    return { id, bearer, socket };
  }

  const secondsUntilClosed = async (socket: Awaited<ReturnType<typeof openSocket>>) => {
    const since = performance.now();
    await socket.closed;
    return (performance.now() - since) / 1000;
  };

  it('ACC-5 ACC-7 A9 by revoking it ends requests and sockets at once, and no other token', async () => {
    const { id, bearer, socket } = await inUse();
    const other = await madeToken();
    expect((await browser.send('DELETE', `/api/user/tokens/${id}`)).statusCode).toBe(204);
    expect(await statusOf(bearer)).toBe(401);
    await socket.closed;
    expect(await statusOf(other.bearer)).toBe(200);
    expect(await auditOf(server, 'token.revoke', person.id)).toMatchObject([
      { object_type: 'access_token', object_id: id },
    ]);
  });

  it('ACC-5 what an app got by signing in is no personal token: neither listed with them nor revoked among them', async () => {
    const ask = { email: person.email, password: TEST_PASSWORD, device_name: 'Ward phone' };
    const made = await guest(server).send('POST', '/api/tokens', { body: ask });
    const app = withToken(server, made.json().token);
    const { id } = await madeToken();
    expect((await list()).map((token: { id: string }) => token.id)).toEqual([id]);
    const sessions = (await browser.send('GET', '/api/user/sessions')).json().data;
    const of = sessions.find(({ kind }: { kind: string }) => kind === 'token');
    expect(of.name).toBe('Ward phone');
    expect((await browser.send('DELETE', `/api/user/tokens/${of.id}`)).statusCode).toBe(404);
    expect((await browser.send('DELETE', `/api/user/sessions/${id}`)).statusCode).toBe(404);
    expect((await browser.send('DELETE', '/api/user/tokens')).statusCode).toBe(204);
    expect(await statusOf(app)).toBe(200);
  });

  it('ACC-5 ACC-7 all at once, and no session with them', async () => {
    const [first, second] = [await inUse(), await inUse()];
    expect((await browser.send('DELETE', '/api/user/tokens')).statusCode).toBe(204);
    expect([await statusOf(first.bearer), await statusOf(second.bearer), await statusOf(browser)]).toEqual([
      401, 401, 200,
    ]);
    await Promise.all([first.socket.closed, second.socket.closed]);
    expect(await auditOf(server, 'token.revoke', person.id)).toMatchObject([
      { object_type: 'user', object_id: person.id, detail: { ended: 2 } },
    ]);
  });

  it('ACC-5 A16 nobody ends or sees that of somebody else', async () => {
    const { id, bearer } = await madeToken();
    const { id: otherId } = await makeUser(server.db);
    const other = await signedIn(server, otherId);
    expect((await other.send('GET', '/api/user/tokens')).json().data).toEqual([]);
    expect((await other.send('DELETE', `/api/user/tokens/${id}`)).statusCode).toBe(404);
    expect((await other.send('DELETE', '/api/user/tokens')).statusCode).toBe(204);
    expect(await statusOf(bearer)).toBe(200);
    // Who has none has ended none.
    expect(await auditOf(server, 'token.revoke', otherId)).toEqual([]);
  });

  it('ACC-5 ACC-7 with a changed password, and with signing out everywhere', async () => {
    const first = await inUse();
    const body = { current_password: TEST_PASSWORD, password: 'violet tram over the harbour' };
    const change = { ...body, password_confirmation: body.password };
    expect((await browser.send('PUT', '/api/user/password', { body: change })).statusCode).toBe(204);
    expect(await statusOf(first.bearer)).toBe(401);
    await first.socket.closed;
    const second = await inUse();
    expect((await browser.send('DELETE', '/api/user/sessions')).statusCode).toBe(204);
    expect(await statusOf(second.bearer)).toBe(401);
    await second.socket.closed;
  });

  it('ACC-7 A9 within a second where the account was disabled in the database itself, sockets included', async () => {
    const { bearer, socket } = await inUse();
    await server.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', person.id).execute();
    expect(await secondsUntilClosed(socket)).toBeLessThan(5);
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_000);
    expect(await statusOf(bearer)).toBe(401);
    clock.mockRestore();
  });
});
