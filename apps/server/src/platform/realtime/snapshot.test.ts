import { afterEach, expect, test } from 'vitest';
import { type Person, RawClient, startGateway, type TestGateway, until } from './testing/gateway.ts';

const ada: Person = { id: 'u1', name: 'Ada' };
const ben: Person = { id: 'u2', name: 'Ben' };

let server: TestGateway;

afterEach(() => server.stop());

const succeeded = 'pusher_internal:subscription_succeeded';

test('RT-1 subscription_succeeded carries the snapshot beside the presence', async () => {
  server = await startGateway({ snapshot: async (channel) => ({ head_seq: 41, of: channel }) });
  const client = await RawClient.connect(server.port);
  const answer = await client.join(server.gateway, 'presence-ward', ada);
  expect(JSON.parse(String(answer.data))).toEqual({
    head_seq: 41,
    of: 'presence-ward',
    presence: { count: 1, ids: ['u1'], hash: { u1: { name: 'Ada' } } },
  });
  const plain = await client.join(server.gateway, 'private-chat', ada);
  expect(JSON.parse(String(plain.data))).toEqual({ head_seq: 41, of: 'private-chat' });
});

test('RT-10 no event falls between the snapshot and the live ones: those since joining follow the answer in order', async () => {
  let head = 0;
  let finish: () => void = () => {};
  const say = () => {
    head += 1;
    server.gateway.publish('private-chat', 'said', head);
  };
  server = await startGateway({
    snapshot: () => {
      say();
      return new Promise((resolve) => {
        finish = () => {
          say();
          resolve({ head_seq: head });
          say();
        };
      });
    },
  });
  const client = await RawClient.connect(server.port);
  const answered = client.join(server.gateway, 'private-chat', ada);
  await until(() => head === 1, 'the snapshot is being read');
  for (let n = 0; n < 3; n += 1) {
    say();
    await client.settle();
  }
  expect(client.of(succeeded)).toEqual([]);
  expect(client.of('said')).toEqual([]);
  finish();
  await answered;
  say();
  await until(() => client.of('said').length === head, 'all events arrive');
  const events = client.frames.filter(({ event }) => event === succeeded || event === 'said');
  expect(events.map(({ event, data }) => (event === 'said' ? Number(data) : 'answer'))).toEqual([
    'answer',
    ...Array.from({ length: head }, (_, index) => index + 1),
  ]);
});

test('RT-1 people who come and go while the snapshot is read are told after the answer', async () => {
  let finish: () => void = () => {};
  let isSlow = false;
  server = await startGateway({
    snapshot: async () => {
      if (isSlow) await new Promise<void>((resolve) => (finish = resolve));
      return {};
    },
  });
  const [a, b] = [await RawClient.connect(server.port), await RawClient.connect(server.port)];
  await b.join(server.gateway, 'presence-ward', ben);
  isSlow = true;
  const answered = a.join(server.gateway, 'presence-ward', ada);
  await until(() => b.of('pusher_internal:member_added').length === 1, 'the other member is told');
  b.ws.close();
  await until(() => server.gateway.stats().sockets === 1, 'the other is gone');
  finish();
  expect(JSON.parse(String((await answered).data)).presence.ids).toEqual(['u2', 'u1']);
  const removed = await a.wait('pusher_internal:member_removed');
  expect(JSON.parse(String(removed.data))).toEqual({ user_id: 'u2' });
});

test('RT-1 a snapshot that fails or takes too long is left out of the answer', async () => {
  let outcome: () => Promise<Record<string, unknown>> = () => Promise.reject(new Error('database is away'));
  server = await startGateway({ snapshot: () => outcome(), limits: { sweepMs: 10, snapshotTimeoutMs: 30 } });
  const client = await RawClient.connect(server.port);
  expect((await client.join(server.gateway, 'private-a', ada)).data).toBe('{}');
  expect(server.errors).toHaveLength(1);
  outcome = () => new Promise(() => {});
  expect((await client.join(server.gateway, 'private-b', ada)).data).toBe('{}');
  server.gateway.publish('private-b', 'said', 1);
  await client.wait('said');
});

test('RT-1 a socket that unsubscribes or goes away while the snapshot is read leaves nothing behind', async () => {
  let finish: () => void = () => {};
  server = await startGateway({ snapshot: () => new Promise((resolve) => (finish = () => resolve({}))) });
  const client = await RawClient.connect(server.port);
  client.subscribe('news');
  client.send({ event: 'pusher:unsubscribe', data: { channel: 'news' } });
  await client.settle();
  finish();
  await client.settle();
  expect(client.of(succeeded)).toEqual([]);
  expect(server.gateway.stats()).toMatchObject({ channels: 0, subscriptions: 0 });
});

test('A43 a socket that misses too much while its snapshot is read is sent to catch up with 4100', async () => {
  let finish: () => void = () => {};
  server = await startGateway({
    snapshot: () => new Promise((resolve) => (finish = () => resolve({}))),
    limits: { queuedFrames: 10 },
  });
  const client = await RawClient.connect(server.port);
  client.subscribe('news');
  await client.settle();
  for (let n = 0; n < 11; n += 1) server.gateway.publish('news', 'said', n);
  await client.settle();
  finish();
  expect(await client.waitClose()).toBe(4100);
});
