import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GatewayOptions } from './connections/gateway.ts';
import type { Limits } from './delivery/limits.ts';
import { createPusher, identityOf, once, RawClient, startGateway, type TestGateway, until } from './testing/gateway.ts';

const SHOW_MS = 10_000;

let server: TestGateway;
let passTime: (ms: number) => void;

/** Of the clock that the gateway goes by, which stands still until a test moves it. */
beforeEach(() => {
  let now = 1_000_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  passTime = (ms) => {
    now += ms;
  };
});
afterEach(async () => {
  await server.stop();
  vi.restoreAllMocks();
});

async function start(limits: Partial<Limits> = {}, options: Partial<GatewayOptions> = {}): Promise<void> {
  server = await startGateway({
    ...options,
    clientAddress: ({ headers }) => String(headers['x-address'] ?? '192.0.2.1'),
    knownDevice: ({ headers }) => (typeof headers['x-device'] === 'string' ? headers['x-device'] : null),
    limits: { sweepMs: 10, anonymousMs: SHOW_MS, ...limits },
  });
}

interface From {
  readonly address?: string;
  readonly device?: string;
}

/** Open, or the code that it was closed with. */
async function knock({ address = '192.0.2.1', device }: From = {}): Promise<RawClient> {
  const headers = { 'x-address': address, ...(device !== undefined && { 'x-device': device }) };
  const client = new RawClient(server.port, undefined, headers);
  await until(() => client.closeCode !== null || client.frames.length > 0, 'the gateway answers');
  return client;
}

const isOpen = (client: RawClient) => client.of('pusher:connection_established').length === 1;

async function knockTimes(times: number, from: (turn: number) => From = () => ({})): Promise<RawClient[]> {
  const clients: RawClient[] = [];
  for (let turn = 0; turn < times; turn++) clients.push(await knock(from(turn)));
  return clients;
}

test('F-S2 a socket on which nobody signs in is closed with 4009 after 10 s, whatever it sends', async () => {
  await start();
  const [silent, busy] = await knockTimes(2);
  if (!silent || !busy) throw new Error('no sockets');
  for (let second = 0; second < 9; second++) {
    passTime(1_000);
    busy.subscribe(`news-${second}`);
    busy.subscribe('private-chat', 'ward-key:forged');
    busy.send({ event: 'pusher:signin', data: { auth: 'ward-key:forged', user_data: '{"id":"u1"}' } });
    await busy.settle();
  }
  expect([silent.closeCode, busy.closeCode]).toEqual([null, null]);
  passTime(1_000);
  expect([await silent.waitClose(), await busy.waitClose()]).toEqual([4009, 4009]);
  expect(server.gateway.stats()).toMatchObject({ sockets: 0, channels: 0, subscriptions: 0 });
});

test('F-S2 a socket that a session has asked for stays, before it has joined any channel', async () => {
  await start();
  const client = await knock();
  passTime(SHOW_MS - 1);
  expect(server.gateway.identify(client.socketId, identityOf({ id: 'u1' }))).toBe(true);
  passTime(2 * SHOW_MS);
  const stranger = await knock();
  passTime(SHOW_MS);
  // The sweep that finds the stranger has passed over this one.
  expect(await stranger.waitClose()).toBe(4009);
  await client.settle();
  expect(client.closeCode).toBeNull();
});

test('F-S2 pusher-js that joins a private channel, or signs in only, stays', async () => {
  await start();
  const [joining, signing] = [createPusher(server, { id: 'u1' }), createPusher(server, { id: 'u2' })];
  signing.signin();
  await once(joining.subscribe('private-chat.1'), 'pusher:subscription_succeeded');
  await until(() => signing.user.user_data !== null, 'the person is signed in');
  passTime(SHOW_MS / 2);
  const stranger = await knock();
  passTime(SHOW_MS);
  expect(await stranger.waitClose()).toBe(4009);
  expect([joining.connection.state, signing.connection.state]).toEqual(['connected', 'connected']);
  for (const pusher of [joining, signing]) pusher.disconnect();
});

test('F-S2 strangers hold their share of the seats, and whoever comes next takes the oldest of them', async () => {
  await start({ connections: 20, strangers: 5 });
  const flood = await knockTimes(10, (turn) => ({ address: `198.51.100.${turn}` }));
  expect(flood.filter(isOpen)).toHaveLength(5);
  const codes = await Promise.all(flood.slice(5).map((client) => client.waitClose()));
  expect(codes).toEqual(Array.from({ length: 5 }, () => 4100));
  passTime(2_000);
  const nurse = await knock({ address: '192.0.2.1' });
  expect(isOpen(nurse)).toBe(true);
  expect(await flood[0]?.waitClose()).toBe(4100);
  server.gateway.identify(nurse.socketId, identityOf({ id: 'nurse' }));
  passTime(2_000);
  await knockTimes(10, (turn) => ({ address: `203.0.113.${turn}` }));
  expect(nurse.closeCode).toBeNull();
  expect(server.gateway.stats().sockets).toBe(6);
});

test('F-S2 one address holds few sockets of strangers, whatever another one holds', async () => {
  await start({ strangersPerAddress: 10 });
  expect((await knockTimes(30)).filter(isOpen)).toHaveLength(10);
  expect(isOpen(await knock({ address: '192.0.2.2' }))).toBe(true);
  passTime(SHOW_MS);
  await until(() => server.gateway.stats().sockets === 0, 'the strangers are gone');
  expect((await knockTimes(30)).filter(isOpen)).toHaveLength(10);
});

test('F-S2 connecting again and again from one address is limited although each socket is let go', async () => {
  await start({ strangersPerAddress: 10 });
  const opened: boolean[] = [];
  for (let turn = 0; turn < 30; turn++) {
    const client = await knock();
    opened.push(isOpen(client));
    client.ws.terminate();
    await until(() => server.gateway.stats().sockets === 0, 'it is gone');
  }
  expect(opened.filter(Boolean)).toHaveLength(10);
  passTime(1_000);
  expect((await knockTimes(5)).filter(isOpen)).toHaveLength(1);
});

test('F-S2 a flood of refused sockets that never close keeps nobody else out', async () => {
  await start({ strangersPerAddress: 1 });
  const hanging = Array.from({ length: 150 }, () => {
    const client = new RawClient(server.port, undefined, { 'x-address': '198.51.100.1' });
    const answered = new Promise<'upgraded' | number>((resolve) => {
      client.ws.on('open', () => {
        // Its close frame is never read, so that it is never answered.
        client.ws.pause();
        resolve('upgraded');
      });
      client.ws.on('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode));
    });
    return { client, answered };
  });
  const answers = await Promise.all(hanging.map(({ answered }) => answered));
  expect(answers).toContain(503);
  expect(isOpen(await knock({ address: '192.0.2.2' }))).toBe(true);
  for (const { client } of hanging) client.ws.terminate();
});

test('F-S2 a device that somebody has signed in on gets its seat while strangers of its address hold theirs', async () => {
  await start({ strangers: 5, strangersPerAddress: 5, anonymousPerDevice: 3 });
  await knockTimes(20);
  const own = await knockTimes(4, () => ({ device: 'ward computer' }));
  expect(own.map(isOpen)).toEqual([true, true, true, false]);
  expect(isOpen(await knock({ device: 'another' }))).toBe(true);
});

test('F-S2 a public channel that the product does not declare is refused, and costs nothing', async () => {
  await start({}, { isPublicChannel: (name) => name === 'news' });
  const client = await knock();
  for (let n = 0; n < 100; n++) client.subscribe(`flood-${n}`);
  client.subscribe('cache-flood');
  client.subscribe('news');
  await client.wait('pusher_internal:subscription_succeeded', 'news');
  const refused = client.of('pusher:subscription_error');
  expect(refused).toHaveLength(101);
  expect(JSON.parse(String(refused[0]?.data))).toMatchObject({ type: 'AuthError', status: 404 });
  expect(server.gateway.stats()).toMatchObject({ channels: 1, subscriptions: 1 });
});

test('F-S2 one person has at most their number of sockets', async () => {
  await start({ connectionsPerUser: 3 });
  const clients = await knockTimes(4);
  const identified = clients.map(({ socketId }) => server.gateway.identify(socketId, identityOf({ id: 'u1' })));
  expect(identified).toEqual([true, true, true, false]);
});
