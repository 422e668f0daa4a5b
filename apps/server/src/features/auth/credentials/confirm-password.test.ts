import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { endpoints } from '@wardline/contract/endpoints.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MadeUser, makeSession, makeUser, TEST_PASSWORD, testPasswordHash } from '#/testing/factories/users.ts';
import { auditOf, newAddress, signedIn, type TestClient, withSession } from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';

let server: TestServer;
let person: MadeUser;
let client: TestClient;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  person = await makeUser(server.db, { passwordHash: await testPasswordHash(TEST_APP_KEY) });
  client = withSession(server, await makeSession(server.db, { userId: person.id, isConfirmed: false }));
});

function confirm(password = TEST_PASSWORD, ip = newAddress()) {
  return client.send('POST', '/user/confirm-password', { body: { password }, ip });
}

const guarded: readonly AnyEndpoint[] = endpoints.filter((endpoint: AnyEndpoint) => endpoint.asksPassword);

describe('confirming the password', () => {
  it.each(guarded.map((endpoint) => [endpoint.name, endpoint] as const))(
    'ACC-5 %s is closed to a session that has not, before anything is looked at',
    async (_name, endpoint) => {
      const url = endpoint.path.replaceAll(/\{\w+\}/g, crypto.randomUUID());
      const refused = await client.send(endpoint.method, url, { body: {} });
      expect(refused.statusCode).toBe(423);
      expect(refused.json()).toEqual({ message: 'Password confirmation required.', code: 'password_unconfirmed' });
    },
  );

  it('ACC-5 guards second factors and the end of other sessions', () => {
    expect(guarded.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['beginTwoFactor', 'endTwoFactor', 'renewRecoveryCodes', 'endOtherSessions']),
    );
  });

  it('ACC-5 opens them to this session for fifteen minutes, and to no other', async () => {
    const other = withSession(server, await makeSession(server.db, { userId: person.id, isConfirmed: false }));
    const status = async (of: TestClient) => (await of.send('GET', '/user/confirmed-password-status')).json();
    expect(await status(client)).toEqual({ confirmed: false });
    expect((await confirm()).statusCode).toBe(201);
    expect(await status(client)).toEqual({ confirmed: true });
    expect(await status(other)).toEqual({ confirmed: false });
    expect((await client.send('POST', '/user/two-factor-authentication')).statusCode).toBe(200);
    expect((await other.send('POST', '/user/two-factor-authentication')).statusCode).toBe(423);
    await server.db
      .updateTable('sessions')
      .set({ password_confirmed_at: sql`now() - interval '15 minutes'` })
      .where('user_id', '=', person.id)
      .execute();
    expect(await status(client)).toEqual({ confirmed: false });
    const hour = await client.send('GET', '/user/confirmed-password-status?seconds=3600');
    expect(hour.json()).toEqual({ confirmed: true });
    expect((await client.send('DELETE', '/api/user/sessions')).statusCode).toBe(423);
    expect(await auditOf(server, 'password.confirm', person.id)).toHaveLength(1);
  });

  it('A1 a wrong password is said at its field, opens nothing and counts as a try to sign in', async () => {
    const ip = newAddress();
    for (let turn = 0; turn < 5; turn++) {
      expect((await confirm('wrong', ip)).json().errors).toEqual({ password: ['This is not your password.'] });
    }
    expect((await confirm(TEST_PASSWORD, ip)).statusCode).toBe(429);
    expect((await client.send('DELETE', '/api/user/sessions')).statusCode).toBe(423);
    const ready = await signedIn(server, person.id);
    expect((await ready.send('DELETE', '/api/user/sessions')).statusCode).toBe(204);
  });
});

describe('the covered screen of a shared device', () => {
  const unlock = (who: TestClient, password: string) =>
    who.send('POST', '/api/user/unlock', { body: { password }, ip: newAddress() });

  it('ACC-6 opens to the password of its person alone, is audited, and confirms nothing else', async () => {
    const client = withSession(server, await makeSession(server.db, { userId: person.id, isConfirmed: false }));
    expect((await unlock(client, 'not the password')).json().errors).toEqual({
      password: ['This is not your password.'],
    });
    expect((await unlock(client, '')).statusCode).toBe(422);
    expect((await unlock(client, TEST_PASSWORD)).statusCode).toBe(204);
    const [entry] = await auditOf(server, 'session.unlock', person.id);
    expect(entry).toMatchObject({ detail: { method: 'password' } });
    expect((await client.send('POST', '/user/two-factor-authentication')).statusCode).toBe(423);
  });
});
