import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { makeUser, TEST_PASSWORD, testPasswordHash } from '#/testing/factories/users.ts';
import { guestWithCookies, postLogin } from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';

let server: TestServer;
const sockets: WebSocket[] = [];

beforeAll(async () => {
  // Nothing is closed by the clock: what is closed here was refused.
  server = await startTestServer({ strangerSockets: 10, looksAfterSockets: false });
});
afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  await server.close();
});

/** The first frame of a socket that carries these cookies. */
async function knock(cookies: ReadonlyMap<string, string> = new Map()) {
  const socket = new WebSocket(`${server.baseUrl.replace('http', 'ws')}/app/wardline?protocol=7`, {
    origin: server.baseUrl,
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
  sockets.push(socket);
  const next = () =>
    new Promise<{ event: string; data: unknown }>((resolve) => {
      socket.once('message', (data) => resolve(JSON.parse(String(data))));
    });
  return { socket, next, first: await next() };
}

it('F-S2 who has signed in on the device gets a socket while strangers of the same address hold all of theirs', async () => {
  const person = await makeUser(server.db, { passwordHash: await testPasswordHash(TEST_APP_KEY) });
  const device = await guestWithCookies(server);
  const signedIn = await postLogin(device, { email: person.email, password: TEST_PASSWORD });
  expect(signedIn.statusCode).toBe(200);

  const flood = await Promise.all(Array.from({ length: 20 }, () => knock()));
  const admitted = flood.filter(({ first }) => first.event === 'pusher:connection_established');
  expect(admitted).toHaveLength(10);
  const refused = flood.filter(({ first }) => first.event === 'pusher:error');
  expect(refused.map(({ first }) => first.data)).toEqual(
    refused.map(() => ({ code: 4100, message: 'Too many connections' })),
  );
  expect((await knock(device.cookies)).first.event).toBe('pusher:connection_established');
  expect((await knock(new Map([['wardline_device', 'made up']]))).first.event).toBe('pusher:error');

  const [stranger] = admitted;
  if (!stranger) throw new Error('nobody was let in');
  const answer = stranger.next();
  stranger.socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel: 'news' } }));
  expect(await answer).toMatchObject({ event: 'pusher:subscription_error', channel: 'news' });
});
