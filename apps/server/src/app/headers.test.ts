import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headersFor } from '#/platform/http/edge/security-headers.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { guest, guestWithCookies, signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';

let server: TestServer;
let person: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  person = await signedIn(server, (await makeUser(server.db)).id);
});
afterAll(() => server.close());

const STRICT: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': expect.stringContaining('camera=()'),
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};

const json = { 'content-type': 'application/json' };

/** One request for each status that can be had over HTTP. */
const ANSWERS: readonly [status: number, what: string, ask: () => ReturnType<TestClient['send']>][] = [
  [200, 'the identity', () => person.send('GET', '/api/user')],
  [200, 'the head of an answer', () => server.app.inject({ method: 'HEAD', url: '/up' })],
  [200, 'the public settings', () => guest(server).send('GET', '/config.json')],
  [200, 'the contract', () => guest(server).send('GET', '/api/openapi.json')],
  [204, 'an answer without a body', () => guest(server).send('GET', '/sanctum/csrf-cookie')],
  [400, 'a body that is no JSON', () => person.send('POST', '/login', { body: '{', headers: json })],
  [401, 'nobody', () => guest(server).send('GET', '/api/user')],
  [403, 'a foreign origin', () => person.send('POST', '/logout', { headers: { origin: 'https://evil.example' } })],
  [404, 'an unknown address', () => guest(server).send('GET', '/api/nothing/here')],
  [404, 'an address that cannot be decoded', () => guest(server).send('GET', '/api/chats/%ff%')],
  [404, 'an address that is too long', () => guest(server).send('GET', `/api/chats/${'a'.repeat(500)}`)],
  [413, 'too large a body', () => person.send('POST', '/login', { body: `"${'a'.repeat(300_000)}"`, headers: json })],
  [
    415,
    'a body of another type',
    () => person.send('POST', '/login', { body: 'x', headers: { 'content-type': 'text/plain' } }),
  ],
  [419, 'no token', () => guest(server).send('POST', '/login', { body: {} })],
  [302, 'a sign-in of somebody who is signed in', () => person.send('POST', '/login', { body: {} })],
  [405, 'a method that is not taken', () => person.send('PUT', '/api/user', { body: {} })],
  [422, 'a body that does not fit', () => person.send('PATCH', '/api/user', { body: {} })],
  [429, 'too many tries', tooManyTries],
];

async function tooManyTries() {
  const client = await guestWithCookies(server);
  const body = { email: 'somebody@people.test', password: 'wrong horse' };
  for (let turn = 0; turn < 5; turn++) await client.send('POST', '/login', { body, ip: '198.51.100.1' });
  return client.send('POST', '/login', { body, ip: '198.51.100.1' });
}

describe('headers', () => {
  it.each(ANSWERS)('A21 A45 %i (%s) carries every strict header and names no software', async (status, _what, ask) => {
    const response = await ask();
    expect(response.statusCode).toBe(status);
    expect(response.headers).toMatchObject(STRICT);
    expect(response.headers).not.toHaveProperty('server');
    expect(response.headers).not.toHaveProperty('x-powered-by');
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    expect(response.headers).not.toHaveProperty('strict-transport-security');
    if (status >= 400) expect(response.headers['cache-control']).toBe('no-store, private');
  });

  it('A32 no answer of the API may be kept by a cache', async () => {
    for (const url of ['/api/user', '/api/facilities', '/api/sync', '/api/user/device-key']) {
      expect((await person.send('GET', url)).headers['cache-control'], url).toBe('no-store, private');
    }
  });

  it.each([
    ['a line that is no request', 'nonsense\r\n\r\n', 400],
    ['two lengths', 'POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    [
      'a length and chunks',
      'POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a folded header', 'GET /up HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\nB : d\r\n\r\n', 400],
    ['no host', 'GET /up HTTP/1.1\r\n\r\n', 400],
    ['20 KiB of headers', `GET /up HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ])('A52 what is refused before routing carries them too: %s', async (_what, request, status) => {
    const { statusLine, headers } = await sendRaw(request);
    expect(statusLine).toContain(` ${status} `);
    expect(headers).toMatchObject(STRICT);
  });

  it.each([
    ['a connection over which nothing was asked is closed without a word', '', ''],
    ['half a request is answered with 408', 'GET /up HTTP/1.1\r\nHos', 'HTTP/1.1 408 Request Timeout'],
  ])('A52 R2 what takes too long: %s', async (_what, sent, answer) => {
    const { hostname, port } = new URL(server.baseUrl);
    const accepted = new Promise<Socket>((resolve) => server.app.server.once('connection', resolve));
    const client = connect(Number(port), hostname, () => client.write(sent));
    let heard = '';
    client.on('data', (chunk) => {
      heard += String(chunk);
    });
    const socket = await accepted;
    await expect.poll(() => socket.bytesRead).toBe(sent.length);
    // As Node says it once its limit of ten seconds is over.
    const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.app.server.emit('clientError', late, socket);
    await new Promise((resolve) => client.once('close', resolve));
    expect(heard.split('\r\n')[0]).toBe(answer);
  });

  it('A12 A28 neither policy names an origin other than our own, nor lets a script or style in by text', () => {
    for (const type of ['text/html; charset=utf-8', 'application/json', 'image/png', '']) {
      const policy = headersFor(type, false)['content-security-policy'] ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/https?:|wss?:|data:|\*|unsafe-|\w+\.\w+/);
    }
    expect(headersFor('text/html', false)['content-security-policy']).toContain("require-trusted-types-for 'script'");
  });

  it('A52 behind HTTPS everything says so, and the session cookie is bound to the host', async () => {
    const secure = await startTestServer({ publicUrl: 'https://chat.hospital.example' });
    try {
      const response = await guest(secure).send('GET', '/sanctum/csrf-cookie');
      expect(response.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
      const [session, token] = [response.headers['set-cookie'] ?? []].flat();
      expect(session).toMatch(/^__Host-wardline_session=[\w-]{43};/);
      expect(session).toContain('; Secure');
      expect(session).toContain('; HttpOnly');
      expect(session).toContain('; Path=/');
      expect(session).not.toContain('Domain');
      expect(token).toMatch(/^XSRF-TOKEN=guest[.][\w-]{43};/);
      expect(token).toContain('; Secure');
      expect(token).not.toContain('HttpOnly');
    } finally {
      await secure.close();
    }
  });
});

function sendRaw(request: string): Promise<{ statusLine: string; headers: Record<string, string> }> {
  const { hostname, port } = new URL(server.baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    const chunks: Buffer[] = [];
    socket.setTimeout(20_000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const [head = ''] = Buffer.concat(chunks).toString('latin1').split('\r\n\r\n');
      const [statusLine = '', ...lines] = head.split('\r\n');
      if (!Buffer.concat(chunks).includes('\r\n\r\n')) return;
      const headers = lines.map((line): [string, string] => {
        const [name = '', ...value] = line.split(': ');
        return [name.toLowerCase(), value.join(': ')];
      });
      socket.destroy();
      resolve({ statusLine, headers: Object.fromEntries(headers) });
    });
    socket.on('error', reject);
  });
}
