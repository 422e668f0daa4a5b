import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { makeUser, TEST_PASSWORD, testPasswordHash } from '#/testing/factories/users.ts';
import { guest, guestWithCookies, signedIn, type TestClient, withToken } from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';

const LISTED = 'https://static.example';
const UNLISTED = [
  'https://evil.example',
  'null',
  'http://static.example',
  'https://static.example:8443',
  'https://static.example.evil.example',
  'https://evil-static.example',
  'https://STATIC.example',
  'https://static.example/',
  'https://static.example, https://evil.example',
];

let server: TestServer;
let user: { id: string; email: string };
beforeAll(async () => {
  server = await startTestServer({
    publicUrl: 'http://chat.example',
    clientOrigins: [LISTED, 'http://localhost:5173'],
  });
  user = await makeUser(server.db, { passwordHash: await testPasswordHash(TEST_APP_KEY) });
});
afterAll(() => server.close());

/** What a browser adds to a request of a page elsewhere. */
const from = (origin: string) => ({ origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' });

function corsHeadersOf({ headers }: { headers: Record<string, unknown> }): string[] {
  return Object.keys(headers).filter((name) => name.startsWith('access-control-'));
}

function preflight(origin: string) {
  return server.app.inject({
    method: 'OPTIONS',
    url: '/api/user',
    headers: { ...from(origin), 'access-control-request-method': 'PATCH' },
  });
}

describe('an origin that may serve the client', () => {
  it('OPS-6 is told by the preflight what it may send', async () => {
    const response = await preflight(LISTED);
    expect([response.statusCode, response.payload]).toEqual([204, '']);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': LISTED,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers':
        'Accept, Authorization, Content-Type, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset, X-CSRF-TOKEN, X-Requested-With, X-Socket-ID, X-Wardline-User, X-XSRF-TOKEN',
      vary: 'origin',
    });
  });

  it('OPS-6 signs in without cookies, then reads and writes with the bearer token', async () => {
    const body = { email: user.email, password: TEST_PASSWORD, device_name: 'Static client' };
    const issued = await guest(server).send('POST', '/api/tokens', { body, headers: from(LISTED) });
    expect(issued.statusCode).toBe(201);
    const client = withToken(server, issued.json().token);
    const read = await client.send('GET', '/api/user', { headers: from(LISTED) });
    expect(read.statusCode).toBe(200);
    expect(read.headers).toMatchObject({
      'access-control-allow-origin': LISTED,
      'access-control-expose-headers':
        'Date, Location, Retry-After, Tus-Resumable, Upload-Length, Upload-Offset, X-RateLimit-Limit, X-RateLimit-Remaining',
    });
    expect((await client.send('POST', '/logout', { headers: from(LISTED) })).statusCode).toBe(204);
  });

  it('OPS-6 A6 writes with cookies and the CSRF token, not without the token', async () => {
    const client = await signedIn(server, user.id);
    const bare = await client.send('POST', '/logout', { headers: { ...from(LISTED), 'x-xsrf-token': null } });
    expect(bare.statusCode).toBe(419);
    expect((await client.send('POST', '/logout', { headers: from(LISTED) })).statusCode).toBe(204);
  });

  it('OPS-6 can read why it was refused', async () => {
    const response = await guest(server).send('GET', '/api/user', { headers: from(LISTED) });
    expect(response.statusCode).toBe(401);
    expect(response.headers['access-control-allow-origin']).toBe(LISTED);
  });

  it('OPS-6 opens sockets; another does not', async () => {
    expect(await firstFrame(LISTED)).toContain('pusher:connection_established');
    expect(await firstFrame('https://static.example.evil.example')).not.toContain('connection_established');
  });
});

describe.each(UNLISTED)('the origin %s', (origin) => {
  it('OPS-6 A6 is granted nothing, neither by preflight nor by an answer', async () => {
    expect(corsHeadersOf(await preflight(origin))).toEqual([]);
    const read = await guest(server).send('GET', '/config.json', { headers: from(origin) });
    expect(corsHeadersOf(read)).toEqual([]);
    expect(read.headers['vary']).toBe('origin');
  });

  it('OPS-6 A6 A7 writes nothing, even with cookies and the CSRF token, in whatever way its browser calls it', async () => {
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { ...from(origin), 'sec-fetch-site': site };
      const response = await (await signedIn(server, user.id)).send('POST', '/logout', { headers });
      expect([response.statusCode, corsHeadersOf(response)]).toEqual([403, []]);
    }
  });
});

it('OPS-6 A6 a cross-site request that names no origin is refused also where origins are listed', async () => {
  const client: TestClient = await guestWithCookies(server);
  const response = await client.send('POST', '/login', { body: {}, headers: { 'sec-fetch-site': 'cross-site' } });
  expect(response.statusCode).toBe(403);
});

/** What a socket of this origin hears first: the greeting, an error, or the refusal of the upgrade. */
function firstFrame(origin: string): Promise<string> {
  return new Promise((resolve) => {
    const url = `${server.baseUrl.replace('http', 'ws')}/app/wardline?protocol=7`;
    const socket = new WebSocket(url, { origin });
    socket.once('message', (data) => {
      resolve(String(data));
      socket.close();
    });
    socket.once('close', (code) => resolve(`closed ${code}`));
    socket.once('error', (error) => resolve(error.message));
  });
}
