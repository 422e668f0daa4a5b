import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Authorize } from './channels/options.ts';
import { signChannel, signUser, verifyChannel } from './protocol/signature.ts';
import {
  app,
  channelDataOf,
  identityOf,
  type Person,
  RawClient,
  startGateway,
  type TestGateway,
  until,
} from './testing/gateway.ts';

const ada: Person = { id: 'u1' };
const ben: Person = { id: 'u2' };

let server: TestGateway;
let may: Authorize;
let alive: (keys: string[]) => Promise<Set<string>>;
let passTime: (ms: number) => void;

/** Of the clock that the gateway goes by, which stands still until a test moves it: no stall makes a check late. */
const RECHECK_MS = 1_000;
const DUE_MS = 0.75 * RECHECK_MS;

beforeEach(async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  passTime = (ms) => {
    now += ms;
  };
  may = async () => true;
  alive = async (keys) => new Set(keys);
  server = await startGateway({
    authorize: (identity, channel) => may(identity, channel),
    liveSessions: (keys) => alive(keys),
    limits: { sweepMs: 10, recheckMs: RECHECK_MS },
  });
});

afterEach(async () => {
  await server.stop();
  vi.restoreAllMocks();
});

async function connectAs(person: Person): Promise<RawClient> {
  const client = await RawClient.connect(server.port);
  expect(server.gateway.identify(client.socketId, identityOf(person))).toBe(true);
  return client;
}

test('A13 the auth string of another socket, channel, key or secret does not open a channel', async () => {
  const [client, other] = [await connectAs(ada), await connectAs(ben)];
  const bad = [
    '',
    'x',
    signChannel(app, other.socketId, 'private-chat'),
    signChannel(app, client.socketId, 'private-other'),
    signChannel({ ...app, secret: 'guess' }, client.socketId, 'private-chat'),
    signChannel({ ...app, key: 'other' }, client.socketId, 'private-chat'),
    `${signChannel(app, client.socketId, 'private-chat')} `,
    signChannel(app, client.socketId, 'private-chat').toUpperCase(),
    signUser(app, client.socketId, 'private-chat'),
  ];
  for (const auth of bad) client.subscribe('private-chat', auth);
  await client.settle();
  const refusals = client.of('pusher:subscription_error', 'private-chat');
  expect(refusals.map(({ data }) => JSON.parse(String(data)).status)).toEqual(bad.map(() => 401));
  expect(server.gateway.stats().subscriptions).toBe(0);
  await client.join(server.gateway, 'private-chat', ada);
});

test('A13 altered presence data does not open a channel', async () => {
  const client = await connectAs(ada);
  const auth = signChannel(app, client.socketId, 'presence-ward', channelDataOf(ada));
  client.subscribe('presence-ward', auth, channelDataOf(ben));
  client.subscribe('presence-ward', auth);
  client.subscribe('presence-ward', signChannel(app, client.socketId, 'presence-ward'));
  await client.settle();
  expect(client.of('pusher:subscription_error')).toHaveLength(3);
  expect(server.gateway.stats().subscriptions).toBe(0);
});

test('A13 a signature holds for exactly one socket, channel and data', () => {
  const part = fc.stringMatching(/^[a-z0-9.]{1,12}$/);
  fc.assert(
    fc.property(part, part, fc.option(part, { nil: undefined }), part, (socket, channel, data, other) => {
      const auth = signChannel(app, socket, channel, data);
      expect(verifyChannel(app, auth, socket, channel, data)).toBe(true);
      expect(verifyChannel(app, auth, socket + other, channel, data)).toBe(false);
      expect(verifyChannel(app, auth, socket, channel + other, data)).toBe(false);
      expect(verifyChannel(app, auth, socket, channel, (data ?? '') + other)).toBe(false);
    }),
  );
});

test('A10 a socket that is bound to no session cannot join, even with a right signature', async () => {
  const client = await RawClient.connect(server.port);
  client.subscribe('private-chat', signChannel(app, client.socketId, 'private-chat'));
  const refusal = await client.wait('pusher:subscription_error', 'private-chat');
  expect(JSON.parse(String(refusal.data)).status).toBe(401);
});

test('A10 a socket is bound once: another session, another person or an unknown socket is refused', async () => {
  const client = await connectAs(ada);
  const { identify } = server.gateway;
  expect(identify(client.socketId, identityOf(ada))).toBe(true);
  expect(identify(client.socketId, identityOf(ben))).toBe(false);
  expect(identify(client.socketId, { ...identityOf(ada), sessionKey: 'other' })).toBe(false);
  expect(identify('1.1', identityOf(ada))).toBe(false);
});

test('A10 endSession closes that session only, endUser all of a person, both with 4009 and at once', async () => {
  const tabs = [
    await connectAs({ ...ada, sessionKey: 's1' }),
    await connectAs({ ...ada, sessionKey: 's2' }),
    await connectAs(ben),
  ] as const;
  for (const tab of tabs) tab.subscribe('news');
  for (const tab of tabs) await tab.settle();
  server.gateway.endSession('s1');
  server.gateway.publish('news', 'said', 1);
  expect(await tabs[0].waitClose()).toBe(4009);
  await tabs[1].wait('said');
  expect(tabs[0].of('said')).toEqual([]);
  server.gateway.endUser('u1');
  expect(await tabs[1].waitClose()).toBe(4009);
  await tabs[2].settle();
});

test('A10 a session that ended unnoticed is found by the sweep and its sockets closed with 4009', async () => {
  const asked: string[] = [];
  alive = async (keys) => {
    asked.push(...keys);
    return new Set(keys);
  };
  const [client, other] = [await connectAs(ada), await connectAs(ben)];
  await until(() => asked.length === 2, 'the first look is over');
  alive = async (keys) => new Set(keys.filter((key) => key !== 'session-of-u1'));
  passTime(DUE_MS);
  expect(await client.waitClose()).toBe(4009);
  await other.settle();
});

test('A10 a session that ended while its socket was being bound is found by the next sweep', async () => {
  alive = async () => new Set();
  const slow = await startGateway({ liveSessions: (keys) => alive(keys), limits: { sweepMs: 10 } });
  const client = await RawClient.connect(slow.port);
  slow.gateway.identify(client.socketId, identityOf(ada));
  expect(await client.waitClose()).toBe(4009);
  await slow.stop();
});

test('A10 a right that was lost unnoticed is found by the sweep, and only that subscription ends', async () => {
  const [client, other] = [await connectAs(ada), await connectAs(ben)];
  await client.join(server.gateway, 'presence-ward', ada);
  await client.join(server.gateway, 'private-chat', ada);
  await other.join(server.gateway, 'presence-ward', ben);
  may = async ({ userId }, channel) => userId !== 'u1' || channel !== 'presence-ward';
  passTime(DUE_MS);
  const told = await client.wait('pusher:subscription_error', 'presence-ward');
  expect(JSON.parse(String(told.data))).toMatchObject({ type: 'AuthError', status: 403 });
  const left = await other.wait('pusher_internal:member_removed');
  expect(JSON.parse(String(left.data))).toEqual({ user_id: 'u1' });
  server.gateway.publish('private-chat', 'said', 1);
  server.gateway.publish('presence-ward', 'said', 2);
  await client.wait('said');
  expect(client.of('said')).toHaveLength(1);
});

test.each(['right', 'session'])('A10 sockets whose %s cannot be checked in time are closed', async (what) => {
  const client = await connectAs(ada);
  await client.join(server.gateway, 'private-chat', ada);
  const fail = () => Promise.reject(new Error('database is away'));
  if (what === 'right') may = fail;
  else alive = fail;
  passTime(DUE_MS);
  await until(() => server.errors.length > 0, 'it was tried');
  expect(client.closeCode).toBeNull();
  passTime(RECHECK_MS - DUE_MS);
  expect(await client.waitClose()).toBe(4100);
  expect(client.closeReason).toContain(what);
});

test('A10 rights are asked for again within every recheck period, as long as the subscription lasts', async () => {
  let asked = 0;
  may = async () => ++asked > 0;
  const client = await connectAs(ada);
  await client.join(server.gateway, 'private-chat', ada);
  expect(asked).toBe(1);
  for (const times of [2, 3, 4]) {
    passTime(DUE_MS);
    await until(() => asked === times, 'the right is asked for again');
  }
  expect(client.closeCode).toBeNull();
});

test('A14 after recheck nothing reaches the removed member, and the old auth string does not open the channel again', async () => {
  const [client, other] = [await connectAs(ada), await connectAs(ben)];
  await client.join(server.gateway, 'private-chat', ada);
  await other.join(server.gateway, 'private-chat', ben);
  const auth = signChannel(app, client.socketId, 'private-chat');
  may = async ({ userId }) => userId !== 'u1';
  await server.gateway.recheck({ channels: (name) => name === 'private-chat' });
  for (let n = 0; n < 20; n += 1) server.gateway.publish('private-chat', 'said', n);
  client.subscribe('private-chat', auth);
  server.gateway.publish('private-chat', 'said', 'again');
  await until(() => client.of('pusher:subscription_error').length === 2, 'joining again is refused');
  server.gateway.publish('private-chat', 'said', 'last');
  await until(() => other.of('said').length === 22, 'the other member got everything');
  await client.settle();
  expect(client.of('said')).toEqual([]);
});

test('A14 nothing is delivered before the right is confirmed at joining', async () => {
  let decide: (isAllowed: boolean) => void = () => {};
  may = () =>
    new Promise((resolve) => {
      decide = resolve;
    });
  const client = await connectAs(ada);
  client.subscribe('private-chat', signChannel(app, client.socketId, 'private-chat'));
  await client.settle();
  server.gateway.publish('private-chat', 'said', 'secret');
  await client.settle();
  decide(false);
  await client.wait('pusher:subscription_error');
  await client.settle();
  expect(client.of('said')).toEqual([]);
});

test('A13 the channel of another signed-in user cannot be joined, nor signed in with a wrong signature', async () => {
  const client = await connectAs(ada);
  const userData = JSON.stringify({ id: 'u1' });
  client.subscribe('#server-to-user-u1');
  client.send({ event: 'pusher:signin', data: { auth: signUser(app, '1.1', userData), user_data: userData } });
  await client.wait('pusher:error');
  client.send({
    event: 'pusher:signin',
    data: { auth: signUser(app, client.socketId, userData), user_data: userData },
  });
  await client.wait('pusher:signin_success');
  client.subscribe('#server-to-user-u2');
  client.subscribe('#server-to-user-u1');
  await client.wait('pusher_internal:subscription_succeeded', '#server-to-user-u1');
  expect(client.of('pusher:subscription_error')).toHaveLength(2);
  expect(server.gateway.stats().subscriptions).toBe(1);
});

test('A13 user data needs an id that is text, and a socket stays with its user', async () => {
  const client = await connectAs(ada);
  for (const userData of ['{"id":7}', '{"id":""}', '{}', 'null', '{"id":"u1"}', '{"id":"u2"}']) {
    client.send({
      event: 'pusher:signin',
      data: { auth: signUser(app, client.socketId, userData), user_data: userData },
    });
  }
  await client.settle();
  expect(client.of('pusher:error')).toHaveLength(5);
  expect(client.of('pusher:signin_success')).toHaveLength(1);
});

test.each([
  [true, ['while asked', 'afterwards']],
  [false, []],
])(
  'A14 events wait while a right is asked again, and are delivered only if it still holds: %s',
  async (isAllowed, said) => {
    const client = await connectAs(ada);
    await client.join(server.gateway, 'private-chat', ada);
    let decide: (isAllowed: boolean) => void = () => {};
    may = () =>
      new Promise((resolve) => {
        decide = resolve;
      });
    const rechecked = server.gateway.recheck({ userId: 'u1' });
    server.gateway.publish('private-chat', 'said', 'while asked');
    await client.settle();
    expect(client.of('said')).toEqual([]);
    decide(isAllowed);
    await rechecked;
    server.gateway.publish('private-chat', 'said', 'afterwards');
    await client.settle();
    expect(client.of('said').map(({ data }) => JSON.parse(String(data)))).toEqual(said);
  },
);

test('A14 ADM-2 a socket that is closed to something hears what was told before that, and nothing of what came after', async () => {
  const client = await connectAs(ada);
  await client.join(server.gateway, 'private-person', ada);
  may = async () => ({ without: new Set(['ward']) });
  server.gateway.publish('private-person', 'said', 'the ward is closed');
  const rechecked = server.gateway.recheck({ userId: 'u1' });
  server.gateway.publish('private-person', 'said', 'from the ward', { about: 'ward' });
  await rechecked;
  expect(await client.waitClose()).toBe(4100);
  expect(client.of('said').map(({ data }) => JSON.parse(String(data)))).toEqual(['the ward is closed']);
});
