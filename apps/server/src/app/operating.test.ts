import { once } from 'node:events';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { REALTIME_KEY } from './client-config.ts';

let server: TestServer;
const lines: string[] = [];
beforeAll(async () => {
  server = await startTestServer({ logTo: lines });
});
afterAll(() => server.close());
beforeEach(() => void lines.splice(0));

/** What comes back for bytes as they are sent. */
async function sendRaw(request: string): Promise<string> {
  const { hostname, port } = new URL(server.baseUrl);
  const socket = connect(Number(port), hostname, () => socket.write(request));
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  await once(socket, 'close');
  return text;
}

const ask = (path: string, headers: readonly string[]) =>
  sendRaw(`GET ${path} HTTP/1.1\r\n${headers.map((line) => `${line}\r\n`).join('')}Connection: close\r\n\r\n`);

it('F-S7 the body of a POST that is broken off is no error of the server', async () => {
  const { hostname, port } = new URL(server.baseUrl);
  const head =
    'POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n';
  const answered = new Promise<void>((resolve) => {
    server.app.server.once('request', (_request, response) => response.once('close', () => setImmediate(resolve)));
  });
  const socket = connect(Number(port), hostname, () => socket.write(`${head}{"email":`, () => socket.destroy()));
  await answered;
  // The next answer is given after what is left of the one before has been dealt with.
  expect((await fetch(`${server.baseUrl}/up`)).status).toBe(200);
  expect(lines).toEqual([]);
});

it('F-S7 /ready answers 503 while writes fail for want of disk, and 200 again after it', async () => {
  const ready = async () => {
    const answer = await server.app.inject({ method: 'GET', url: '/ready' });
    return [answer.statusCode, answer.json()];
  };
  expect(await ready()).toEqual([200, { ready: true, database: true, writable: true, files: true, draining: false }]);
  // As PostgreSQL says it where a table cannot grow, and reads go on.
  await sql`create function no_room() returns event_trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(server.db);
  await sql`create event trigger no_room on ddl_command_start when tag in ('CREATE TABLE')
    execute function no_room()`.execute(server.db);
  const clock = vi.spyOn(performance, 'now');
  // More than a second: the sum of a fraction and a second may be a little less than one away.
  const later = () => clock.mockReturnValue(performance.now() + 1_001);
  later();
  expect(await ready()).toEqual([503, { ready: false, database: true, writable: false, files: true, draining: false }]);
  expect(lines.join()).toContain('the database takes no writes');
  await sql`drop event trigger no_room`.execute(server.db);
  later();
  expect((await ready())[0]).toBe(200);
  clock.mockRestore();
});

it('R18 while it drains it is not ready, and each answer ends its connection, so that the next request goes elsewhere', async () => {
  const draining = await startTestServer();
  const ask = (url: string) => draining.app.inject({ method: 'GET', url });
  const { host } = new URL(draining.baseUrl);
  const socket = new WebSocket(`ws://${host}/app/${REALTIME_KEY}?protocol=7`, { origin: draining.baseUrl });
  await once(socket, 'open');
  const before = await ask('/up');
  const sentAway = once(socket, 'close');
  const closed = draining.close(600);
  const [ready, up] = await Promise.all([ask('/ready'), ask('/up')]);
  expect(before.headers.connection).toBe('keep-alive');
  expect(ready.statusCode).toBe(503);
  expect(ready.json()).toMatchObject({ ready: false, draining: true });
  expect(up.statusCode).toBe(200);
  expect([ready.headers.connection, up.headers.connection]).toEqual(['close', 'close']);
  const [code] = await sentAway;
  expect(code).toBe(4100);
  await closed;
});

it('F-S7 two Host headers are refused, also when they say the same', async () => {
  expect(await ask('/config.json', ['Host: localhost'])).toContain('HTTP/1.1 200 ');
  expect(await ask('/config.json', ['Host: localhost', 'Host: evil.example'])).toContain('HTTP/1.1 400 ');
  expect(await ask('/config.json', ['Host: localhost', 'Host: localhost'])).toContain('HTTP/1.1 400 ');
});

it.each(['evil.example', 'localhost.evil.example', 'localhost@evil.example', '127.0.0.1.evil.example', '10.0.0.7'])(
  'F-S7 A12 the Host %j is refused where no public address is set, for HTTP and for sockets',
  async (host) => {
    const refused = await ask('/config.json', [`Host: ${host}`]);
    expect(refused).toContain('HTTP/1.1 400 ');
    expect(refused).toContain('WARDLINE_PUBLIC_URL');
    // A probe by an address of the network says whether the process lives.
    expect(await ask('/up', [`Host: ${host}`])).toContain('HTTP/1.1 200 ');
    expect(await openSocket(host)).toBe('refused with 400');
  },
);

it.each(['localhost', 'localhost:8080', '127.0.0.1', '[::1]:8080', 'LOCALHOST'])(
  'F-S7 the Host %s is taken: it names the loopback, whatever port a proxy has',
  async (host) => {
    expect(await ask('/config.json', [`Host: ${host}`])).toContain('HTTP/1.1 200 ');
    expect(await openSocket(host)).toBe('open');
  },
);

it('F-S7 the public address is taken, and the host that it listens on', async () => {
  const named = await startTestServer({ publicUrl: 'https://chat.hospital.example', host: '10.1.2.3' });
  try {
    const statusOf = async (host: string) =>
      (await named.app.inject({ method: 'GET', url: '/config.json', headers: { host } })).statusCode;
    expect(await statusOf('chat.hospital.example')).toBe(200);
    expect(await statusOf('10.1.2.3:8080')).toBe(200);
    expect(await statusOf('other.hospital.example')).toBe(400);
  } finally {
    await named.close();
  }
});

function openSocket(host: string): Promise<string> {
  const socket = new WebSocket(`${server.baseUrl.replace('http', 'ws')}/app/wardline?protocol=7`, {
    headers: { host },
    origin: `http://${host}`,
  });
  return new Promise((resolve) => {
    socket.once('open', () => {
      resolve('open');
      socket.terminate();
    });
    socket.once('unexpected-response', (_request, response) => {
      resolve(`refused with ${response.statusCode}`);
      socket.terminate();
    });
    socket.on('error', () => undefined);
  });
}

it('/.well-known/security.txt is not there where nobody is named', async () => {
  expect((await server.app.inject({ method: 'GET', url: '/.well-known/security.txt' })).statusCode).toBe(404);
});
