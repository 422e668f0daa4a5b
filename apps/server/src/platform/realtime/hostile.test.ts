import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isNightly, limitMs, runs } from '#/testing/nightly.ts';
import type { Limits } from './delivery/limits.ts';
import { signChannel } from './protocol/signature.ts';
import { app, identityOf, type Person, RawClient, startGateway, type TestGateway, until } from './testing/gateway.ts';
import { maskedFrame, RawSocket } from './testing/raw-socket.ts';

const ada: Person = { id: 'u1' };
const ben: Person = { id: 'u2' };

let server: TestGateway;
let bystander: RawClient;

async function start(limits: Partial<Limits> = {}): Promise<void> {
  server = await startGateway({ limits });
  bystander = await RawClient.connect(server.port);
  await bystander.join(server.gateway, 'private-chat', ben);
}

beforeEach(() => start());

// Whatever happened: nothing was thrown, and the bystander still gets its events and nothing else.
afterEach(async () => {
  server.gateway.publish('private-chat', 'still', 'here');
  await bystander.wait('still');
  expect(bystander.closeCode).toBeNull();
  const events = new Set(bystander.frames.map(({ event }) => event));
  expect([...events].filter((event) => !/^(pusher|still$|said$)/.test(event))).toEqual([]);
  expect(bystander.of('pusher:error')).toEqual([]);
  expect(server.errors).toEqual([]);
  vi.restoreAllMocks();
  await server.stop();
});

/** Whatever is sent from here on is sent in the same second, however long the machine takes for it; or so much later. */
function stopTheClock(laterMs = 0): void {
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + laterMs);
}

async function restart(limits: Partial<Limits>): Promise<void> {
  await server.stop();
  await start(limits);
}

test.each<[string, string | Buffer]>([
  ['malformed JSON', '{"event":'],
  ['JSON that is no object', '[1]'],
  ['an event that is a number', '{"event":1}'],
  ['an unknown event', '{"event":"pusher:whatever"}'],
  ['an internal event', '{"event":"pusher_internal:member_added","channel":"presence-a","data":{}}'],
  ['subscribing without data', '{"event":"pusher:subscribe"}'],
  ['a channel that is an object', '{"event":"pusher:subscribe","data":{"channel":{"name":"x"}}}'],
  ['a channel out of the grammar', '{"event":"pusher:subscribe","data":{"channel":"private-*"}}'],
  ['a channel of 201 characters', `{"event":"pusher:subscribe","data":{"channel":"${'a'.repeat(201)}"}}`],
  ['60,000 open brackets', '['.repeat(60_000)],
  ['a binary frame', Buffer.from('{"event":"pusher:ping"}')],
])('A42 %s is answered by pusher:error and the socket stays open', async (_what, frame) => {
  const client = await RawClient.connect(server.port);
  client.ws.send(frame);
  await client.settle();
  expect(client.of('pusher:error')).toMatchObject([{ data: { code: 4200, message: expect.any(String) } }]);
  expect(client.closeCode).toBeNull();
});

test('A42 deeply nested data in a client event does not stop anything', async () => {
  const client = await RawClient.connect(server.port);
  await client.join(server.gateway, 'private-other', ada);
  client.send(`{"event":"client-x","channel":"private-other","data":${'['.repeat(30_000)}${']'.repeat(30_000)}}`);
  await until(() => client.of('pusher:error').length > 0 || client.closeCode !== null, 'the client hears of it');
  server.errors.length = 0;
});

test('RT-3 a frame over 64 kB closes its socket with 1009', async () => {
  const client = await RawClient.connect(server.port);
  client.send(`"${'a'.repeat(65_536 - 2)}"`);
  await client.settle();
  client.send(`"${'a'.repeat(65_536)}"`);
  expect(await client.waitClose()).toBe(1009);
});

test('A42 text that is not UTF-8 closes its socket with 1007', async () => {
  const client = await RawClient.connect(server.port);
  client.ws.send(Buffer.from([0x22, 0xff, 0xfe, 0x22]), { binary: false });
  expect(await client.waitClose()).toBe(1007);
});

test('A42 a socket that sends too many bad frames is closed with 4301', async () => {
  await restart({ badFramesPerMinute: 5 });
  const client = await RawClient.connect(server.port);
  stopTheClock();
  for (let n = 0; n < 6; n += 1) client.send('nonsense');
  expect(await client.waitClose()).toBe(4301);
  expect(client.of('pusher:error')).toHaveLength(6);
});

test('A42 bad frames of more than a minute ago are forgotten, however often', async () => {
  await restart({ badFramesPerMinute: 5 });
  const client = await RawClient.connect(server.port);
  stopTheClock();
  for (let minute = 1; minute <= 3; minute += 1) {
    for (let n = 0; n < 5; n += 1) client.send('nonsense');
    await client.settle();
    expect(client.closeCode).toBeNull();
    stopTheClock(minute < 3 ? 61_000 : 59_000);
  }
  client.send('nonsense');
  expect(await client.waitClose()).toBe(4301);
});

test('A42 a socket that sends too many frames a second is closed with 4301', async () => {
  await restart({ framesPerSecond: 50 });
  const client = await RawClient.connect(server.port);
  stopTheClock();
  for (let n = 0; n < 200; n += 1) client.send({ event: 'pusher:pong', data: {} });
  expect(await client.waitClose()).toBe(4301);
});

test.each(['pusher:ping', 'RFC 6455 ping'])(
  'A42 a socket with too many %ss a second is closed with 4301',
  async (kind) => {
    const client = await RawClient.connect(server.port);
    stopTheClock();
    for (let n = 0; n < 100; n += 1) {
      if (kind === 'pusher:ping') client.send({ event: 'pusher:ping', data: {} });
      else client.ws.ping();
    }
    expect(await client.waitClose()).toBe(4301);
  },
);

test('RT-3 a socket has at most its number of subscriptions; the next is refused and the others stay', async () => {
  const client = await RawClient.connect(server.port);
  for (let n = 0; n <= 200; n += 1) client.subscribe(`news-${n}`);
  await client.wait('pusher:subscription_error', 'news-200');
  expect(client.of('pusher_internal:subscription_succeeded', 'news-199')).toHaveLength(1);
  expect(server.gateway.stats().subscriptions).toBe(201);
});

test('RT-3 the eleventh client event in a second is refused with 4301, and the socket stays open', async () => {
  const client = await RawClient.connect(server.port);
  await client.join(server.gateway, 'private-other', ada);
  const other = await RawClient.connect(server.port);
  await other.join(server.gateway, 'private-other', ben);
  stopTheClock();
  for (let n = 0; n < 40; n += 1) client.send({ event: 'client-x', channel: 'private-other', data: { n } });
  await client.settle();
  await other.settle();
  const refused = client.of('pusher:error');
  expect(refused[0]).toMatchObject({ data: { code: 4301 } });
  expect(refused).toHaveLength(30);
  expect(other.of('client-x')).toHaveLength(10);
});

test('RT-3 client event data over 10 kB is refused', async () => {
  const client = await RawClient.connect(server.port);
  await client.join(server.gateway, 'private-chat', ada);
  client.send({ event: 'client-x', channel: 'private-chat', data: 'a'.repeat(10_241) });
  await client.settle();
  expect(client.of('pusher:error')).toMatchObject([{ data: { code: 4301 } }]);
});

test('RT-3 a presence channel takes its number of people and 1 kB about each', async () => {
  await restart({ presenceMembers: 2 });
  const join = async (client: RawClient, channelData: string) => {
    client.subscribe('presence-x', signChannel(app, client.socketId, 'presence-x', channelData), channelData);
    await client.settle();
    return client.of('pusher_internal:subscription_succeeded', 'presence-x').length === 1;
  };
  const results: boolean[] = [];
  for (const id of ['a', 'b', 'c', 'a']) {
    const client = await RawClient.connect(server.port);
    server.gateway.identify(client.socketId, identityOf({ id }));
    if (id === 'a')
      expect(await join(client, JSON.stringify({ user_id: id, user_info: 'x'.repeat(1_023) }))).toBe(false);
    results.push(await join(client, JSON.stringify({ user_id: id, user_info: { name: id } })));
  }
  expect(results).toEqual([true, true, false, true]);
});

test(
  'A42 R15 random frames, a million at night, leave the process and the other socket undisturbed',
  async () => {
    await restart({ framesPerSecond: Number.POSITIVE_INFINITY, badFramesPerMinute: Number.POSITIVE_INFINITY });
    const random = seededRandom(20_260_101);
    let client = await RawClient.connect(server.port);
    const frames = isNightly ? 1_000_000 : 2_000;
    for (let n = 0; n < frames; n += 1) {
      if (n % 250 === 0) {
        server.gateway.publish('private-chat', 'said', n);
        await until(() => bystander.of('said').length === 1, 'the bystander gets its event');
        // It is there, or it would be sent away with the minutes that a million takes.
        bystander.send({ event: 'pusher:pong', data: {} });
        const heard = bystander.frames
          .splice(0)
          .filter(({ event }) => !/^pusher(:ping|:connection_established|_internal:)/.test(event));
        expect(heard).toMatchObject([{ event: 'said', data: String(n) }]);
        if (client.closeCode !== null || client.ws.readyState !== client.ws.OPEN || client.frames.length > 10_000) {
          client.ws.terminate();
          client = await RawClient.connect(server.port);
        }
        server.gateway.identify(client.socketId, identityOf(ada));
      }
      client.ws.send(randomFrame(random), { binary: random() < 0.05 });
    }
  },
  limitMs(240_000),
);

test('A42 random bytes, reserved bits, fragments and half-closed sockets on the bare wire disturb nobody', async () => {
  const random = seededRandom(7);
  const raws: RawSocket[] = [];
  const sockets = runs(100);
  // All come from one address, and nobody of them says who they are.
  await restart({ strangersPerAddress: sockets + 1, strangers: sockets + 1 });
  for (let n = 0; n < sockets; n += 1) {
    const raw = await RawSocket.connect(server.port);
    raws.push(raw);
    if (n % 4 === 0) raw.socket.write(randomBytes(1 + Math.floor(random() * 2_000)));
    else if (n % 4 === 1) for (let f = 0; f < 10; f += 1) raw.send(Math.floor(random() * 256), randomBytes(f * 10));
    else if (n % 4 === 2) {
      raw.send(0x01, '{"event":');
      for (let f = 0; f < 50; f += 1) raw.send(0x00, '');
      raw.socket.end();
    } else raw.socket.destroy();
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const raw of raws) raw.socket.destroy();
  await until(() => server.gateway.stats().sockets === 1, 'only the bystander is left');
});

test.each([
  ['a pusher:ping flood', maskedFrame(0x81, Buffer.from('{"event":"pusher:ping"}'))],
  ['an RFC 6455 ping flood', maskedFrame(0x89, Buffer.alloc(125, 'p'))],
  ['a flood of bad frames', maskedFrame(0x81, Buffer.from('{'))],
])(
  'A42 %s by a client that never reads cannot pile up memory, even without rate caps',
  async (_what, frame) => {
    const unlimited = Number.POSITIVE_INFINITY;
    await restart({ framesPerSecond: unlimited, pingsPerSecond: unlimited, badFramesPerMinute: unlimited });
    const raw = await RawSocket.connect(server.port);
    raw.socket.pause();
    const flood = Buffer.concat(Array.from({ length: 2_000 }, () => frame));
    let most = 0;
    for (let n = 0; n < 400 && server.gateway.stats().sockets === 2; n += 1) {
      raw.socket.write(flood);
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, server.gateway.stats().queuedBytes);
    }
    await until(() => server.gateway.stats().sockets === 1, 'the flooding socket is closed');
    expect(most).toBeLessThan(3 * 1_048_576);
    raw.socket.destroy();
  },
  120_000,
);

test('A43 a consumer that stops reading is closed with 4100 while the others get everything', async () => {
  const raw = await RawSocket.connect(server.port);
  raw.sendText({ event: 'pusher:subscribe', data: { channel: 'news' } });
  await until(() => raw.received.includes('subscription_succeeded'), 'the slow one has joined');
  bystander.subscribe('news');
  await bystander.wait('pusher_internal:subscription_succeeded', 'news');
  raw.socket.pause();
  let published = 0;
  let most = 0;
  while (server.gateway.stats().sockets === 2 && published < 5_000) {
    server.gateway.publish('news', 'said', 'x'.repeat(20_000));
    published += 1;
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, server.gateway.stats().queuedBytes);
  }
  expect(server.gateway.stats()).toMatchObject({ sockets: 1, subscriptions: 2 });
  expect(most).toBeLessThan(3 * 1_048_576);
  await until(() => bystander.of('said').length === published, 'the other got everything');
  raw.socket.resume();
  await until(() => raw.isClosed || raw.received.includes(closeFrameStart(4100)), 'the slow one reads the close frame');
  expect(raw.received.includes(closeFrameStart(4100))).toBe(true);
  raw.socket.destroy();
}, 120_000);

test('A43 a burst in one tick is not mistaken for a slow consumer', async () => {
  for (let n = 0; n < 2_000; n += 1) server.gateway.publish('private-chat', 'said', n);
  await until(() => bystander.of('said').length === 2_000, 'all of the burst arrives');
  expect(bystander.of('said').map(({ data }) => Number(data))).toEqual(Array.from({ length: 2_000 }, (_, n) => n));
});

function closeFrameStart(code: number): Buffer {
  return Buffer.from([code >> 8, code & 0xff, ...Buffer.from('Too slow')]);
}

function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const names = ['event', 'data', 'channel', 'auth', 'channel_data', 'user_data', 'user_id', '__proto__', 'constructor'];
const texts = [
  'pusher:subscribe',
  'pusher:unsubscribe',
  'pusher:signin',
  'pusher:pong',
  'client-x',
  'private-chat',
  'presence-chat',
  'private-encrypted-a',
  'cache-a',
  'news',
  '#server-to-user-u2',
  '__proto__',
  'hasOwnProperty',
  '',
  '\u0000',
  '{}',
  '{"user_id":"u1"}',
];

function randomFrame(random: () => number): string {
  const text = JSON.stringify(randomValue(random, 4));
  if (random() < 0.8) return text;
  const at = Math.floor(random() * text.length);
  return text.slice(0, at) + String.fromCharCode(Math.floor(random() * 0xd7ff)) + text.slice(at + 1);
}

function randomValue(random: () => number, depth: number): unknown {
  const pick = <T>(from: T[]): T | undefined => from[Math.floor(random() * from.length)];
  const dice = random();
  if (depth === 4 || (depth > 0 && dice < 0.5)) {
    const fields = names.filter(() => random() < 0.5).map((name) => [name, randomValue(random, depth - 1)]);
    return Object.fromEntries(depth === 4 ? [...fields, ['event', pick(texts)]] : fields);
  }
  if (dice < 0.6 && depth > 0) return [randomValue(random, depth - 1)];
  if (dice < 0.9) return pick(texts);
  return pick([null, true, 0, -1, 1e308, [], {}]);
}
