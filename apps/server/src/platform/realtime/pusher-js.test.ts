import type Pusher from 'pusher-js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createPusher,
  once,
  type Person,
  RawClient,
  startGateway,
  type TestGateway,
  until,
} from './testing/gateway.ts';

const ada: Person = { id: 'u1', name: 'Ada' };
const ben: Person = { id: 'u2', name: 'Ben' };

let server: TestGateway;
let pushers: Pusher[];

beforeEach(async () => {
  server = await startGateway();
  pushers = [];
});

afterEach(async () => {
  for (const pusher of pushers) pusher.disconnect();
  await server.stop();
  expect(server.errors).toEqual([]);
});

function connect(person: Person, may?: (channel: string) => boolean): Pusher {
  const pusher = createPusher(server, person, may);
  pushers.push(pusher);
  return pusher;
}

async function join(pusher: Pusher, name: string) {
  const channel = pusher.subscribe(name);
  await once(channel, 'pusher:subscription_succeeded');
  return channel;
}

test('RT-1 pusher-js connects, joins a public channel and gets events with their data', async () => {
  const pusher = connect(ada);
  const channel = await join(pusher, 'news');
  expect(pusher.connection.socket_id).toMatch(/^\d+\.\d+$/);
  const received = once(channel, 'App.Events.Said');
  expect(server.gateway.publish('news', 'App.Events.Said', { text: 'Grüße ✓', n: 1 })).toBe('queued');
  expect(await received).toEqual({ text: 'Grüße ✓', n: 1 });
});

test('RT-1 events on a private channel reach its members and nobody else', async () => {
  const [a, b] = [connect(ada), connect(ben)];
  const channel = await join(a, 'private-chat.1');
  await join(b, 'news');
  const strayed: unknown[] = [];
  b.bind_global((event: string, data: unknown) => strayed.push([event, data]));
  const received = once(channel, 'message');
  server.gateway.publish('private-chat.1', 'message', 'for members');
  expect(await received).toBe('for members');
  const after = once(b.channel('news'), 'end');
  server.gateway.publish('news', 'end', null);
  await after;
  expect(strayed).toEqual([['end', null]]);
});

test('A13 a channel the application refuses is not joined and the client hears the error', async () => {
  const channel = connect(ada, () => false).subscribe('private-chat.2');
  expect(await once(channel, 'pusher:subscription_error')).toMatchObject({ type: 'AuthError' });
  expect(server.gateway.stats().subscriptions).toBe(0);
});

test('RT-1 toOthers: the excluded socket misses one event and gets the next', async () => {
  const [a, b] = [connect(ada), connect(ben)];
  const [atA, atB] = [await join(a, 'private-chat.1'), await join(b, 'private-chat.1')];
  const heard = { a: [] as unknown[], b: [] as unknown[] };
  atA.bind('message', (data: unknown) => heard.a.push(data));
  atB.bind('message', (data: unknown) => heard.b.push(data));
  server.gateway.publish('private-chat.1', 'message', 1, { except: a.connection.socket_id });
  server.gateway.publish('private-chat.1', 'message', 2);
  server.gateway.publish('private-chat.1', 'message', 3, { except: b.connection.socket_id });
  await until(() => heard.a.length === 2 && heard.b.length === 2, 'both have heard two');
  expect(heard).toEqual({ a: [2, 3], b: [1, 2] });
});

test('RT-1 a client event on a private channel reaches the other members, not its sender', async () => {
  const [a, b] = [connect(ada), connect(ben)];
  const [atA, atB] = [await join(a, 'private-chat.1'), await join(b, 'private-chat.1')];
  const echoed: unknown[] = [];
  atA.bind('client-typing', (data: unknown) => echoed.push(data));
  const received = once(atB, 'client-typing');
  atA.trigger('client-typing', { draft: true });
  expect(await received).toEqual({ draft: true });
  const end = once(atA, 'end');
  server.gateway.publish('private-chat.1', 'end', null);
  await end;
  expect(echoed).toEqual([]);
});

test('RT-1 client events on encrypted and public channels and from outsiders are refused', async () => {
  const [a, b] = [connect(ada), connect(ben)];
  await join(a, 'news');
  await join(b, 'private-chat.1');
  const errors: unknown[] = [];
  a.connection.bind('error', (error: { data: { code: number } }) => errors.push(error.data.code));
  a.send_event('client-x', {}, 'news');
  a.send_event('client-x', {}, 'private-chat.1');
  a.send_event('client-x', {}, 'private-encrypted-chat.1');
  await until(() => errors.length === 3, 'three errors are told');
  expect(errors).toEqual([4009, 4009, 4009]);
});

test('RT-1 presence: members at joining, added, removed, and who sent a client event', async () => {
  const [a, b] = [connect(ada), connect(ben)];
  const atA = await join(a, 'presence-ward.1');
  const added = once<{ id: string; info: unknown }>(atA, 'pusher:member_added');
  const atB = b.subscribe('presence-ward.1');
  const members = await once<{ count: number; me: { id: string }; members: object }>(
    atB,
    'pusher:subscription_succeeded',
  );
  expect(members.count).toBe(2);
  expect(members.me.id).toBe('u2');
  expect(members.members).toEqual({ u1: { name: 'Ada' }, u2: { name: 'Ben' } });
  expect(await added).toEqual({ id: 'u2', info: { name: 'Ben' } });

  const from: unknown[] = [];
  atA.bind('client-wave', (_data: unknown, { user_id }: { user_id: string }) => from.push(user_id));
  atB.trigger('client-wave', {});
  await until(() => from.length === 1, 'the wave arrives');
  expect(from).toEqual(['u2']);

  const removed = once<{ id: string }>(atA, 'pusher:member_removed');
  b.unsubscribe('presence-ward.1');
  expect((await removed).id).toBe('u2');
});

test('RT-1 one person in two tabs is one member, from the first tab to the last', async () => {
  const [a, tab1, tab2] = [connect(ada), connect(ben), connect(ben)];
  const atA = await join(a, 'presence-ward.1');
  const seen: string[] = [];
  atA.bind('pusher:member_added', ({ id }: { id: string }) => seen.push(`+${id}`));
  atA.bind('pusher:member_removed', ({ id }: { id: string }) => seen.push(`-${id}`));
  await join(tab1, 'presence-ward.1');
  await join(tab2, 'presence-ward.1');
  tab1.disconnect();
  await until(() => server.gateway.stats().sockets === 2, 'the first tab is gone');
  const told = once(atA, 'end');
  server.gateway.publish('presence-ward.1', 'end', null);
  await told;
  expect(seen).toEqual(['+u2']);
  tab2.disconnect();
  await until(() => seen.length === 2, 'both changes are seen');
  expect(seen).toEqual(['+u2', '-u2']);
});

test('RT-1 signin: events for one user reach that user only, and terminate ends the connection', async () => {
  const [a, b] = [connect(ada), connect(ben)];
  a.signin();
  b.signin();
  await until(() => server.gateway.stats().channels === 2, 'both user channels are open');
  const strayed: unknown[] = [];
  b.user.bind('note', (data: unknown) => strayed.push(data));
  const received = once(a.user, 'note');
  server.gateway.publish('#server-to-user-u1', 'note', { for: 'ada' });
  expect(await received).toEqual({ for: 'ada' });
  const closed = once<{ data: { code: number } }>(a.connection, 'error');
  server.gateway.terminate('u1');
  expect((await closed).data.code).toBe(4009);
  await until(() => a.connection.state === 'disconnected', 'a terminated client stays away');
  expect(b.connection.state).toBe('connected');
  expect(strayed).toEqual([]);
});

test('RT-1 a cache channel hands its last event to who joins later, and says so when there is none', async () => {
  const pusher = connect(ada);
  const empty = pusher.subscribe('private-cache-board');
  await once(empty, 'pusher:cache_miss');
  server.gateway.publish('cache-beds', 'beds', { free: 1 });
  server.gateway.publish('cache-beds', 'beds', { free: 2 });
  expect(await once(pusher.subscribe('cache-beds'), 'beds')).toEqual({ free: 2 });
});

test('RT-1 subscription_count tells how many sockets there are, when it is switched on', async () => {
  const counting = await startGateway({ subscriptionCount: true, limits: { sweepMs: 20 } });
  const [a, b] = [createPusher(counting, ada), createPusher(counting, ben)];
  pushers.push(a, b);
  const channel = a.subscribe('news');
  const counts: number[] = [];
  channel.bind('pusher:subscription_count', (data: { subscription_count: number }) =>
    counts.push(data.subscription_count),
  );
  await until(() => counts.at(-1) === 1, 'one is counted');
  b.subscribe('news');
  await until(() => counts.at(-1) === 2, 'two are counted');
  await counting.stop();
});

test('RT-4 a wrong app key is refused with 4001 and pusher-js stays away', async () => {
  const { default: PusherJs } = await import('pusher-js');
  const pusher = new PusherJs('other-key', {
    cluster: '',
    wsHost: '127.0.0.1',
    wsPort: server.port,
    forceTLS: false,
    enabledTransports: ['ws'],
  });
  pushers.push(pusher);
  expect(await once(pusher.connection, 'error')).toMatchObject({ error: { data: { code: 4001 } } });
  await until(() => pusher.connection.state === 'disconnected', 'pusher-js gives up');
});

test('RT-4 drain sends everyone away with 4100 and refuses new sockets, so clients come back elsewhere', async () => {
  const [a, b] = [connect(ada), connect(ben)];
  await Promise.all([join(a, 'news'), join(b, 'news')]);
  const codes: number[] = [];
  for (const { connection } of [a, b]) {
    connection.bind('error', (error: { data?: { code: number } }) => error.data && codes.push(error.data.code));
  }
  await server.gateway.drain(100);
  expect(await new RawClient(server.port).waitClose()).toBe(4100);
  await until(() => codes.length >= 2, 'both are told');
  expect(codes.slice(0, 2)).toEqual([4100, 4100]);
  expect(server.gateway.stats()).toEqual({ sockets: 0, channels: 0, subscriptions: 0, queuedBytes: 0 });
});
