import { request } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { app, RawClient, startGateway, type TestGateway, until } from './testing/gateway.ts';

let server: TestGateway;

beforeEach(async () => {
  server = await startGateway();
});

afterEach(async () => {
  await server.stop();
  expect(server.errors).toEqual([]);
});

test('RT-1 the first frame carries socket_id and activity_timeout as JSON text', async () => {
  const client = await RawClient.connect(server.port);
  const data = JSON.parse(String(client.frames[0]?.data));
  expect(data).toEqual({ socket_id: expect.stringMatching(/^\d+\.\d+$/), activity_timeout: 30 });
});

test('RT-1 ping is answered by pong, an RFC 6455 ping by its pong with the same bytes', async () => {
  const client = await RawClient.connect(server.port);
  client.send({ event: 'pusher:ping', data: {} });
  await client.wait('pusher:pong');
  const payloads: string[] = [];
  client.ws.on('pong', (payload) => payloads.push(String(payload)));
  client.ws.ping('abc');
  await until(() => payloads.length === 1, 'the pong arrives');
  expect(payloads).toEqual(['abc']);
});

test.each([
  ['/app/other-key?protocol=7', 4001],
  [`/app/${app.key}`, 4008],
  [`/app/${app.key}?protocol=`, 4008],
  [`/app/${app.key}?protocol=six`, 4006],
  [`/app/${app.key}?protocol=6`, 4007],
])('RT-4 %s is answered by an error frame and a close frame with %i', async (path, code) => {
  const client = new RawClient(server.port, path);
  expect(await client.waitClose()).toBe(code);
  expect(client.frames).toMatchObject([{ event: 'pusher:error', data: { code } }]);
});

test.each([['/'], ['/app'], ['/app/'], [`/app/${app.key}/more`], [`/apps/${app.key}?protocol=7`]])(
  'RT-1 upgrading %s is a 404',
  async (path) => {
    expect(await upgradeStatus(path, {})).toBe(404);
  },
);

test.each<[string, Record<string, string>]>([
  ['absent', {}],
  ['null', { origin: 'null' }],
  ['a longer host', { origin: 'https://wardline.test.evil.example' }],
  ['another port', { origin: 'https://wardline.test:8443' }],
  ['another scheme', { origin: 'http://wardline.test' }],
  ['other case', { origin: 'https://WARDLINE.test' }],
  ['user info', { origin: 'https://wardline.test@evil.example' }],
  ['a look-alike', { origin: 'https://w\u0430rdline.test' }],
])('A12 an upgrade whose Origin is %s is refused with 403', async (_what, headers) => {
  const strict = await startGateway({ isAllowedOrigin: (origin) => origin === 'https://wardline.test' });
  const path = `/app/${app.key}?protocol=7`;
  const asBytes = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
  );
  expect(await upgradeStatus(path, asBytes, strict.port)).toBe(403);
  expect(await upgradeStatus(path, { origin: 'https://wardline.test' }, strict.port)).toBe(101);
  await strict.stop();
});

test('A42 sockets over the connection cap are sent away with 4100 and the others stay', async () => {
  const small = await startGateway({ limits: { connections: 2 } });
  const [first] = [await RawClient.connect(small.port), await RawClient.connect(small.port)];
  const third = new RawClient(small.port);
  expect(await third.waitClose()).toBe(4100);
  await first.settle();
  first.ws.close();
  await until(() => small.gateway.stats().sockets === 1, 'a place is free');
  await RawClient.connect(small.port);
  await small.stop();
});

test('RT-4 a client that answers no ping is closed with 4201, one that does stays', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const quick = await startGateway({ limits: { sweepMs: 10 } });
  const [dead, alive] = [await RawClient.connect(quick.port), await RawClient.connect(quick.port)];
  for (const round of [1, 2, 3]) {
    clock.mockReturnValue(round * 30_000);
    await until(() => alive.of('pusher:ping').length === round, 'the live one is asked');
    alive.send({ event: 'pusher:pong', data: {} });
    await alive.settle();
  }
  clock.mockRestore();
  expect(await dead.waitClose()).toBe(4201);
  expect(dead.of('pusher:ping')).toHaveLength(1);
  expect(alive.closeCode).toBeNull();
  await quick.stop();
});

test('RT-1 what is not published: reserved events, odd channels, over 64 kB', () => {
  const { gateway } = server;
  expect(gateway.publish('news', 'pusher:error', {})).toBe('bad_event');
  expect(gateway.publish('news', 'pusher_internal:member_added', {})).toBe('bad_event');
  expect(gateway.publish('news', 'e'.repeat(201), {})).toBe('bad_event');
  expect(gateway.publish('news', 'e'.repeat(200), {})).toBe('queued');
  expect(gateway.publish('a b', 'said', {})).toBe('bad_channel');
  expect(gateway.publish('cache-news', 'said', 'x'.repeat(65_536))).toBe('too_large');
});

test('A42 a client event whose name has 201 characters is refused, one of 200 is handed on', async () => {
  const [ada, ben] = [await RawClient.connect(server.port), await RawClient.connect(server.port)];
  for (const [client, id] of [
    [ada, 'u1'],
    [ben, 'u2'],
  ] as const) {
    await client.join(server.gateway, 'private-chat', { id });
  }
  const named = (length: number) => `client-${'a'.repeat(length - 'client-'.length)}`;
  for (const length of [201, 200]) ada.send({ event: named(length), channel: 'private-chat', data: {} });
  await ben.wait(named(200));
  expect(ben.of(named(201))).toEqual([]);
  expect(ada.of('pusher:error')).toHaveLength(1);
});

test('RT-1 only a name that begins with cache- after its prefix is of a channel that remembers', async () => {
  const client = await RawClient.connect(server.port);
  server.gateway.publish('ward-cache-news', 'said', 1);
  client.subscribe('ward-cache-news');
  await client.wait('pusher_internal:subscription_succeeded');
  await client.settle();
  expect([client.of('pusher:cache_miss'), client.of('said')]).toEqual([[], []]);
});

/** What somebody who subscribes to a cache channel now is told at once: the last event, or that there is none. */
async function firstOf(gateway: TestGateway, channel: string): Promise<string | undefined> {
  const client = await RawClient.connect(gateway.port);
  client.subscribe(channel);
  await until(
    () => client.frames.some(({ event }) => /^(said|pusher:cache_miss)$/.test(event)),
    'the first frame comes',
  );
  return client.frames.at(-1)?.event;
}

test('RT-1 a channel that remembers keeps its last event for half an hour', async () => {
  server.gateway.publish('cache-news', 'said', 1);
  const started = performance.now();
  const clock = vi.spyOn(performance, 'now');
  const after = (ms: number) => clock.mockReturnValue(started + ms);
  try {
    after(1_799_000);
    expect(await firstOf(server, 'cache-news')).toBe('said');
    after(1_801_000);
    expect(await firstOf(server, 'cache-news')).toBe('pusher:cache_miss');
  } finally {
    clock.mockRestore();
  }
});

test('RT-1 of too many channels that remember, the one that was silent longest is forgotten', async () => {
  const small = await startGateway({ limits: { cachedChannels: 2 } });
  for (const channel of ['cache-a', 'cache-b', 'cache-a', 'cache-c']) small.gateway.publish(channel, 'said', 1);
  const kept = await Promise.all(['cache-a', 'cache-b', 'cache-c'].map((channel) => firstOf(small, channel)));
  expect(kept).toEqual(['said', 'pusher:cache_miss', 'said']);
  await small.stop();
});

test('RT-3 an event of 64 kB of quotes and signs arrives whole', async () => {
  const client = await RawClient.connect(server.port);
  client.subscribe('news');
  await client.wait('pusher_internal:subscription_succeeded');
  const text = '"✓\\'.repeat(9_000);
  expect(server.gateway.publish('news', 'said', text)).toBe('queued');
  expect(JSON.parse(String((await client.wait('said')).data))).toBe(text);
});

test('RT-1 unsubscribing stops the events; subscribing again starts them', async () => {
  const client = await RawClient.connect(server.port);
  client.subscribe('news');
  client.send({ event: 'pusher:unsubscribe', data: { channel: 'news' } });
  await client.settle();
  server.gateway.publish('news', 'said', 1);
  client.subscribe('news');
  await client.settle();
  server.gateway.publish('news', 'said', 2);
  await client.wait('said');
  expect(client.of('said').map(({ data }) => data)).toEqual(['2']);
});

test('F-C2 RT-1 nothing is published on an encrypted channel without a master key', async () => {
  const name = 'private-encrypted-ward.1';
  const client = await RawClient.connect(server.port);
  await client.join(server.gateway, name, { id: 'u1' });
  expect(server.gateway.publish(name, 'said', 'in plain words')).toBe('no_master_key');
  await client.settle();
  expect(client.of('said')).toEqual([]);
});

function upgradeStatus(path: string, headers: Record<string, string>, port = server.port): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request({
      port,
      path,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.alloc(16).toString('base64'),
        ...headers,
      },
    });
    call.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode ?? 0);
    });
    call.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on('error', reject);
    call.end();
  });
}
