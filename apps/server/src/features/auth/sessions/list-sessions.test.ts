import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MadeUser, makeSession, makeUser, TEST_PASSWORD, testPasswordHash } from '#/testing/factories/users.ts';
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

let server: TestServer;
let person: MadeUser;
let client: TestClient;
let bearer: TestClient;

beforeAll(async () => {
  server = await startTestServer({ looksAfterSockets: false });
});
afterAll(() => server.close());
beforeEach(async () => {
  person = await makeUser(server.db, { passwordHash: await testPasswordHash(TEST_APP_KEY) });
  client = await guestWithCookies(server);
  await postLogin(client, { email: person.email, remember: true });
  const body = { email: person.email, password: TEST_PASSWORD, device_name: 'Ward phone' };
  const made = await (await guestWithCookies(server)).send('POST', '/api/tokens', { body, ip: newAddress() });
  bearer = withToken(server, made.json().token);
});

interface Listed {
  readonly id: string;
  readonly is_current: boolean;
  readonly kind: string;
}

const list = async (by: TestClient): Promise<Listed[]> => (await by.send('GET', '/api/user/sessions')).json().data;
const end = (by: TestClient, id: string) => by.send('DELETE', `/api/user/sessions/${id}`);

describe('where one is signed in', () => {
  it('ACC-5 names browsers and apps with place and time, the latest first, and which of them asks', async () => {
    await makeSession(server.db, { userId: person.id, lifetimeMs: -1_000 });
    await signedIn(server, (await makeUser(server.db)).id);
    expect(await statusOf(bearer)).toBe(200);
    const seen = await list(client);
    expect(seen).toEqual([
      {
        id: expect.any(String),
        kind: 'token',
        name: 'Ward phone',
        user_agent: null,
        ip: null,
        is_current: false,
        remember: false,
        created_at: expect.any(String),
        last_active_at: expect.any(String),
      },
      {
        id: expect.any(String),
        kind: 'session',
        name: null,
        user_agent: 'lightMyRequest',
        ip: expect.stringMatching(/^10\.[\d.]+$/),
        is_current: true,
        remember: true,
        created_at: expect.any(String),
        last_active_at: expect.any(String),
      },
    ]);
    expect((await list(bearer)).map((session) => [session.kind, session.is_current])).toEqual([
      ['token', true],
      ['session', false],
    ]);
  });

  it('A8 an id in the list opens nothing', async () => {
    const [token, session] = await list(client);
    for (const id of [token?.id ?? '', session?.id ?? '']) {
      expect(await statusOf(withToken(server, id))).toBe(401);
      expect(await statusOf(withToken(server, `wardline_${id}`))).toBe(401);
    }
  });
});

describe('ending sessions', () => {
  it('ACC-5 ACC-7 A10 ends one and its socket, with an audit entry; a repeat finds nothing', async () => {
    const other = await signedIn(server, person.id);
    const socket = await openSocket(server);
    await socket.join(other, `private-App.Models.User.${person.id}`);
    expect(await statusOf(other)).toBe(200);
    const id = (await list(other)).find((session) => session.is_current)?.id ?? '';
    expect((await end(client, id)).statusCode).toBe(204);
    expect(await socket.closed).toBe(4009);
    expect(await statusOf(other)).toBe(401);
    expect(await statusOf(client)).toBe(200);
    expect(await auditOf(server, 'session.end', person.id)).toMatchObject([{ object_id: id, object_type: 'session' }]);
    expect((await end(client, id)).statusCode).toBe(404);
    expect(await auditOf(server, 'session.end', person.id)).toHaveLength(1);
  });

  it('ACC-5 ends a token, and no other of the same person', async () => {
    const id = (await list(client)).find((session) => session.kind === 'token')?.id ?? '';
    const body = { email: person.email, password: TEST_PASSWORD, device_name: 'Tablet' };
    const made = await (await guestWithCookies(server)).send('POST', '/api/tokens', { body, ip: newAddress() });
    const other = withToken(server, made.json().token);
    expect((await end(client, id)).statusCode).toBe(204);
    expect(await statusOf(bearer)).toBe(401);
    for (const each of [client, other]) expect(await statusOf(each)).toBe(200);
  });

  it('ACC-5 ends the one that asks, which is a sign-out', async () => {
    const id = (await list(client)).find((session) => session.is_current)?.id ?? '';
    expect((await end(client, id)).statusCode).toBe(204);
    expect(await statusOf(client)).toBe(401);
    expect((await postLogin(client, { email: person.email })).statusCode).toBe(200);
  });

  it('A16 ends nobody else’s', async () => {
    const stranger = await signedIn(server, (await makeUser(server.db)).id);
    for (const { id } of await list(client)) {
      const answer = await end(stranger, id);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toEqual({ message: 'Not found.', code: 'not_found' });
    }
    expect(await statusOf(client)).toBe(200);
    expect(await statusOf(bearer)).toBe(200);
  });

  const confirmAs = (who: TestClient) =>
    who.send('POST', '/user/confirm-password', { body: { password: TEST_PASSWORD }, ip: newAddress() });

  it('ACC-5 A10 ends all others at once and keeps the one that asks', async () => {
    await confirmAs(client);
    const others = [await signedIn(server, person.id), await signedIn(server, person.id), bearer];
    const stranger = await signedIn(server, (await makeUser(server.db)).id);
    const socket = await openSocket(server);
    await socket.join(others[0] ?? client, `private-App.Models.User.${person.id}`);
    for (const other of others) expect(await statusOf(other)).toBe(200);
    expect((await client.send('DELETE', '/api/user/sessions')).statusCode).toBe(204);
    expect(await socket.closed).toBe(4009);
    for (const other of others) expect(await statusOf(other)).toBe(401);
    for (const each of [client, stranger]) expect(await statusOf(each)).toBe(200);
    expect(await list(client)).toHaveLength(1);
    expect((await client.send('DELETE', '/api/user/sessions')).statusCode).toBe(204);
    expect(await auditOf(server, 'session.end_others', person.id)).toMatchObject([
      { object_type: 'user', object_id: person.id, detail: { ended: 3 } },
    ]);
  });

  it('ACC-5 a token that asks keeps itself and ends the browsers', async () => {
    await confirmAs(bearer);
    expect((await bearer.send('DELETE', '/api/user/sessions')).statusCode).toBe(204);
    expect(await statusOf(client)).toBe(401);
    expect(await statusOf(bearer)).toBe(200);
  });
});
