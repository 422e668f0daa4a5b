import Echo from 'laravel-echo';
import Pusher from 'pusher-js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  app,
  identityOf,
  type Person,
  pusherOptions,
  startGateway,
  type TestGateway,
  until,
} from './testing/gateway.ts';

const ada: Person = { id: 'u1', name: 'Ada' };
const ben: Person = { id: 'u2', name: 'Ben' };

let server: TestGateway;
let echos: Echo<'reverb'>[];
let forbidden: Set<string>;

beforeEach(async () => {
  forbidden = new Set();
  server = await startGateway({
    authorize: async ({ userId }, channel) => !forbidden.has(`${userId} ${channel}`),
  });
  echos = [];
});

afterEach(async () => {
  for (const echo of echos) echo.disconnect();
  await server.stop();
  expect(server.errors).toEqual([]);
});

function connect(person: Person): Echo<'reverb'> {
  const options = pusherOptions(server, person);
  const echo = new Echo({
    broadcaster: 'reverb',
    Pusher,
    key: app.key,
    client: new Pusher(app.key, options),
  });
  echos.push(echo);
  return echo;
}

function subscribed(channel: { subscribed(callback: () => void): unknown }): Promise<void> {
  return new Promise((resolve) => {
    channel.subscribed(() => resolve());
  });
}

test('RT-1 laravel-echo: namespaced events on a private channel', async () => {
  const echo = connect(ada);
  const heard: unknown[] = [];
  const channel = echo.private('chat.1').listen('MessageSent', (data: unknown) => heard.push(data));
  await subscribed(channel);
  server.gateway.publish('private-chat.1', 'App\\Events\\MessageSent', { id: 'm1' });
  await until(() => heard.length === 1, 'the event is heard');
  expect(heard).toEqual([{ id: 'm1' }]);
});

test('RT-1 laravel-echo: here, joining and leaving name the people', async () => {
  const seen: unknown[] = [];
  connect(ada)
    .join('ward.1')
    .here((people: unknown) => seen.push(['here', people]))
    .joining((person: unknown) => seen.push(['joining', person]))
    .leaving((person: unknown) => seen.push(['leaving', person]));
  await until(() => seen.length === 1, 'here is told');
  const other = connect(ben);
  other.join('ward.1');
  await until(() => seen.length === 2, 'joining is told');
  other.leave('ward.1');
  await until(() => seen.length === 3, 'leaving is told');
  expect(seen).toEqual([
    ['here', [{ name: 'Ada' }]],
    ['joining', { name: 'Ben' }],
    ['leaving', { name: 'Ben' }],
  ]);
});

test('RT-1 laravel-echo: a whisper reaches the others in the channel', async () => {
  const [first, second] = [connect(ada).private('chat.1'), connect(ben).private('chat.1')];
  await Promise.all([subscribed(first), subscribed(second)]);
  const heard: string[] = [];
  first.listenForWhisper('typing', () => heard.push('own'));
  second.listenForWhisper('typing', ({ name }: { name: string }) => heard.push(name));
  first.whisper('typing', { name: 'Ada' });
  await until(() => heard.length === 1, 'the whisper is heard');
  server.gateway.publish('private-chat.1', 'client-typing', { name: 'end' });
  await until(() => heard.length === 3, 'the end is heard');
  expect(heard.toSorted()).toEqual(['Ada', 'end', 'own']);
});

test('RT-1 laravel-echo: socketId() is what toOthers excludes', async () => {
  const [a, b] = [connect(ada), connect(ben)];
  const heard: string[] = [];
  const channels = [
    a.private('chat.1').listen('.sent', (n: number) => heard.push(`a${n}`)),
    b.private('chat.1').listen('.sent', (n: number) => heard.push(`b${n}`)),
  ];
  await Promise.all(channels.map(subscribed));
  server.gateway.publish('private-chat.1', 'sent', 1, { except: a.socketId() });
  server.gateway.publish('private-chat.1', 'sent', 2);
  await until(() => heard.length === 3, 'three are heard');
  expect(heard.toSorted()).toEqual(['a2', 'b1', 'b2']);
});

test('A13 laravel-echo: a right that is gone by the time of joining is refused with 403', async () => {
  forbidden.add('u1 private-chat.9');
  const errors: unknown[] = [];
  connect(ada)
    .private('chat.9')
    .error((error: unknown) => errors.push(error));
  await until(() => errors.length === 1, 'the error is told');
  expect(errors).toMatchObject([{ type: 'AuthError', status: 403 }]);
  expect(server.gateway.stats().subscriptions).toBe(0);
});

test('RT-10 laravel-echo: a revoked right ends the subscription, tells the client and the other members', async () => {
  const told: unknown[] = [];
  const here = connect(ada).join('ward.1');
  const left: unknown[] = [];
  here.leaving((person: unknown) => left.push(person));
  const revoked = connect(ben)
    .join('ward.1')
    .error((error: unknown) => told.push(error));
  const heard: unknown[] = [];
  revoked.listen('.sent', (data: unknown) => heard.push(data));
  await Promise.all([subscribed(here), subscribed(revoked)]);

  forbidden.add('u2 presence-ward.1');
  await server.gateway.recheck({ userId: identityOf(ben).userId, channels: (name) => name.endsWith('ward.1') });
  for (let n = 0; n < 20; n += 1) server.gateway.publish('presence-ward.1', 'sent', n);

  await until(() => told.length === 1 && left.length === 1, 'both are told');
  expect(told).toMatchObject([{ type: 'AuthError', status: 403 }]);
  expect(left).toEqual([{ name: 'Ben' }]);
  expect(heard).toEqual([]);
});

test('A10 laravel-echo: the end of a session closes its sockets with 4009 and they stay away', async () => {
  const echo = connect(ada);
  const other = connect({ ...ada, sessionKey: 'another session' });
  await Promise.all([subscribed(echo.private('chat.1')), subscribed(other.private('chat.1'))]);
  const codes: number[] = [];
  echo.connector.pusher.connection.bind('error', (error: { data?: { code: number } }) => {
    if (error.data) codes.push(error.data.code);
  });
  server.gateway.endSession('session-of-u1');
  await until(() => echo.connectionStatus() === 'disconnected', 'the client gives up');
  expect(codes).toEqual([4009]);
  expect(other.connectionStatus()).toBe('connected');
  expect(server.gateway.stats().sockets).toBe(1);
});

test('F-U1 writes one payload as JSON once, however many channels it goes to', async () => {
  const heard: unknown[] = [];
  const channels = [ada, ben].map((person) =>
    connect(person)
      .private(`App.Models.User.${person.id}`)
      .listen('ChatChanged', (data: unknown) => heard.push(data)),
  );
  await Promise.all(channels.map(subscribed));
  let written = 0;
  const payload = {
    toJSON() {
      written += 1;
      return { head_seq: 7 };
    },
  };
  for (const { id } of [ada, ben]) {
    server.gateway.publish(`private-App.Models.User.${id}`, 'App\\Events\\ChatChanged', payload);
  }
  await until(() => heard.length === 2, 'both have heard it');
  expect(heard).toEqual([{ head_seq: 7 }, { head_seq: 7 }]);
  expect(written).toBe(1);
});
