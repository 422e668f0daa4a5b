import { createHash, createHmac } from 'node:crypto';
import { channelName } from '@wardline/contract/channel.ts';
import { chatChannel } from '@wardline/contract/chat/chat.ts';
import type PusherClient from 'pusher-js';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { once } from '#/platform/realtime/testing/gateway.ts';
import { backEndOf, openPage, PUSHER_APP } from '#/testing/counterparts/pusher-application.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { makeSession, makeUser } from '#/testing/factories/users.ts';
import { guest, withSession } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { REALTIME_KEY } from './client-config.ts';

const APP = PUSHER_APP;

let server: TestServer;
const clients: PusherClient[] = [];

beforeAll(async () => {
  server = await startTestServer({ pusherApp: APP });
});
afterEach(() => {
  for (const client of clients.splice(0)) client.disconnect();
});
afterAll(() => server.close());

/** Long enough for a busy machine. */
const until = (check: () => unknown) => vi.waitFor(check, 15_000);

const backEnd = () => backEndOf(server);

function page(userId: string): PusherClient {
  const client = openPage(server, userId);
  clients.push(client);
  return client;
}

async function join(client: PusherClient, name: string) {
  const channel = client.subscribe(name);
  await once(channel, 'pusher:subscription_succeeded');
  return channel;
}

interface Raw {
  readonly method?: 'GET' | 'POST';
  readonly path?: string;
  readonly body?: string;
  readonly sentBody?: string;
  readonly secret?: string;
  readonly change?: Record<string, string>;
}

const EVENT = JSON.stringify({ name: 'menu', data: '"soup"', channels: ['private-kitchen'] });

/** A request signed by hand, of which something may be wrong. */
async function ask({
  method = 'POST',
  path = `/apps/${APP.id}/events`,
  body = EVENT,
  sentBody = body,
  secret = APP.secret,
  change = {},
}: Raw = {}) {
  const params: Record<string, string> = {
    auth_key: APP.key,
    auth_timestamp: String(Math.floor(Date.now() / 1_000)),
    auth_version: '1.0',
    ...(method === 'POST' && { body_md5: createHash('md5').update(body).digest('hex') }),
    ...change,
  };
  const query = Object.keys(params)
    .sort()
    .map((name) => `${name}=${params[name]}`)
    .join('&');
  const signature = createHmac('sha256', secret).update(`${method}\n${path}\n${query}`).digest('hex');
  const answer = await fetch(`${server.baseUrl}${path}?${query}&auth_signature=${signature}`, {
    method,
    ...(method === 'POST' && { body: sentBody, headers: { 'content-type': 'application/json' } }),
  });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

describe('events', () => {
  it('RT-2 RT-G9 what the Pusher library triggers is heard by pusher-js, but not by the socket that caused it', async () => {
    const [ana, ben] = [page('ana'), page('ben')];
    const [atAna, atBen] = [await join(ana, 'private-kitchen'), await join(ben, 'private-kitchen')];
    const open = await join(ana, 'news');
    const heard: unknown[] = [];
    atBen.bind('menu', (data: unknown) => heard.push(data));
    const [first, second] = [once(atAna, 'menu'), once(open, 'menu')];
    const answer = await backEnd().trigger(
      ['private-kitchen', 'news'],
      'menu',
      { soup: 'Grüße ✓' },
      { socket_id: ben.connection.socket_id },
    );
    expect([answer.status, await answer.text()]).toEqual([200, '{}']);
    expect([await first, await second]).toEqual([{ soup: 'Grüße ✓' }, { soup: 'Grüße ✓' }]);
    const last = once(atBen, 'end');
    await backEnd().trigger('private-kitchen', 'end', {});
    await last;
    expect(heard).toEqual([]);
  });

  it('RT-2 a batch goes to each of its channels, and tells what is asked of them', async () => {
    const ana = page('ana');
    const [kitchen, presence] = [await join(ana, 'private-kitchen'), await join(ana, 'presence-kitchen')];
    const heard = [once(kitchen, 'one'), once(presence, 'two')];
    const answer = await backEnd().triggerBatch([
      { channel: 'private-kitchen', name: 'one', data: 1, info: 'subscription_count' },
      { channel: 'presence-kitchen', name: 'two', data: 'two', info: 'subscription_count,user_count' },
    ]);
    expect(await Promise.all(heard)).toEqual([1, 'two']);
    expect(await answer.json()).toEqual({
      batch: [{ subscription_count: 1 }, { subscription_count: 1, user_count: 1 }],
    });
    const counted = await backEnd().trigger(['private-kitchen', 'nobody'], 'three', 3, { info: 'subscription_count' });
    expect(await counted.json()).toEqual({
      channels: { 'private-kitchen': { subscription_count: 1 }, nobody: { subscription_count: 0 } },
    });
  });

  it('RT-2 an encrypted event is one that the application has encrypted, and goes on as it is', async () => {
    const channel = await join(page('ana'), 'private-encrypted-kitchen');
    const heard = once(channel, 'menu');
    await backEnd().trigger('private-encrypted-kitchen', 'menu', { soup: 'of the day' });
    expect(await heard).toEqual({ soup: 'of the day' });
    const event = { name: 'menu', data: '"plain"', channels: ['private-encrypted-kitchen'] };
    expect((await ask({ body: JSON.stringify(event) })).status).toBe(400);
    const data = JSON.stringify({ nonce: 'AAAA', ciphertext: 'AAAA' });
    const two = { ...event, data, channels: ['private-encrypted-kitchen', 'private-encrypted-bar'] };
    expect((await ask({ body: JSON.stringify(two) })).status).toBe(400);
  });

  it('RT-2 a user who signed in is told on their own channel', async () => {
    const ana = page('ana');
    ana.signin();
    await until(() => expect(ana.user.user_data).toMatchObject({ id: 'ana' }));
    const heard = once(ana.user as never, 'bell');
    await until(async () => {
      const { channels } = await channelsOf();
      expect(Object.keys(channels)).toContain('#server-to-user-ana');
    });
    await backEnd().sendToUser('ana', 'bell', { table: 4 });
    expect(await heard).toEqual({ table: 4 });
  });
});

async function channelsOf(params = {}) {
  return (await backEnd().get({ path: '/channels', params })).json() as Promise<{ channels: Record<string, unknown> }>;
}

describe('questions', () => {
  it('RT-2 lists the channels somebody is in, by their beginning, with the people of presence channels', async () => {
    const [ana, again, ben] = [page('ana'), page('ana'), page('ben')];
    await Promise.all([
      join(ana, 'presence-bar'),
      join(again, 'presence-bar'),
      join(ben, 'presence-bar'),
      join(ben, 'private-bar'),
    ]);
    expect(await channelsOf()).toEqual({ channels: { 'presence-bar': {}, 'private-bar': {} } });
    expect(await channelsOf({ filter_by_prefix: 'presence-', info: 'user_count' })).toEqual({
      channels: { 'presence-bar': { user_count: 2 } },
    });
    const get = async (path: string, params = {}) => (await backEnd().get({ path, params })).json();
    expect(await get('/channels/presence-bar', { info: 'user_count,subscription_count' })).toEqual({
      occupied: true,
      user_count: 2,
      subscription_count: 3,
    });
    expect(await get('/channels/private-nobody')).toEqual({ occupied: false });
    expect(await get('/channels/presence-bar/users')).toEqual({ users: [{ id: 'ana' }, { id: 'ben' }] });
    expect(await get('/channels/presence-nobody/users')).toEqual({ users: [] });
  });

  it('RT-2 400 for what a channel does not know of itself', async () => {
    for (const [path, params] of [
      ['/channels', { info: 'user_count' }],
      ['/channels', { filter_by_prefix: 'private-', info: 'user_count' }],
      ['/channels/private-bar', { info: 'user_count' }],
      ['/channels/private-bar', { info: 'content' }],
      ['/channels/private-bar/users', {}],
      ['/channels/bad!name', {}],
    ] as const) {
      await expect(backEnd().get({ path, params })).rejects.toMatchObject({ status: 400 });
    }
  });

  it('RT-2 A10 the connections of a user are closed for good, those of others stay, and the audit tells of it', async () => {
    const [ana, ben] = [page('ana'), page('ben')];
    for (const client of [ana, ben]) client.signin();
    await until(() => expect([ana.user.user_data?.id, ben.user.user_data?.id]).toEqual(['ana', 'ben']));
    const answer = await backEnd().terminateUserConnections('ana');
    expect([answer.status, await answer.text()]).toEqual([200, '{}']);
    await until(() => expect(ana.connection.state).toBe('disconnected'));
    expect(ben.connection.state).toBe('connected');
    const audited = await server.db
      .selectFrom('audit_entries')
      .select(['detail', 'outcome'])
      .where('action', '=', 'pusher_app.terminate')
      .execute();
    expect(audited).toEqual([{ detail: { app_user: 'ana' }, outcome: 'done' }]);
  });
});

describe('who may ask', () => {
  it('RT-2 a request as the protocol signs it is answered {}', async () => {
    expect(await ask()).toMatchObject({ status: 200, text: '{}' });
    expect((await ask()).headers.get('content-type')).toContain('application/json');
    expect((await ask({ method: 'GET', path: `/apps/${APP.id}/channels` })).status).toBe(200);
  });

  it.each<[string, Raw]>([
    ['another secret', { secret: 'a secret of somebody else, 32 or more' }],
    ['another key', { change: { auth_key: 'cellar' } }],
    ['the key of the product', { change: { auth_key: REALTIME_KEY } }],
    ['another version', { change: { auth_version: '2.0' } }],
    ['a time that is no number', { change: { auth_timestamp: 'now' } }],
    ['an application that is not there', { path: '/apps/4712/events' }],
    ['another body', { sentBody: EVENT.replace('soup', 'stew') }],
    ['no word of its body', { change: { body_md5: '' } }],
  ])('RT-2 A13 401 for a request with %s', async (_what, raw) => {
    const answer = await ask(raw);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('content-type')).toContain('text/plain');
  });

  it('RT-2 A13 401 for a signature of another method, path, query or length, or that stands twice', async () => {
    const path = `/apps/${APP.id}/channels`;
    const good = backEnd().createSignedQueryString({ method: 'GET', path, params: { filter_by_prefix: 'a' } });
    const status = async (url: string, init: RequestInit = {}) => (await fetch(server.baseUrl + url, init)).status;
    expect(await status(`${path}?${good}`)).toBe(200);
    expect(await status(`${path}/news?${good}`)).toBe(401);
    expect(await status(`${path.replace('channels', 'events')}?${good}`, { method: 'POST' })).toBe(401);
    expect(await status(`${path}?${good.replace('prefix=a', 'prefix=b')}`)).toBe(401);
    expect(await status(`${path}?${good}&info=subscription_count`)).toBe(401);
    expect(await status(`${path}?${good.slice(0, -1)}`)).toBe(401);
    expect(await status(`${path}?${good}&${good}`)).toBe(401);
    expect(await status(`${path}?filter_by_prefix=%E0%A4%A&${good}`)).toBe(401);
    expect(await status(path)).toBe(401);
  });

  it('RT-2 a signed request is good for 600 seconds before and after its time', async () => {
    const at = (offsetS: number) =>
      ask({ change: { auth_timestamp: String(Math.floor(Date.now() / 1_000) + offsetS) } });
    expect([(await at(-590)).status, (await at(590)).status]).toEqual([200, 200]);
    expect([(await at(-602)).status, (await at(602)).status]).toEqual([401, 401]);
  });

  it.each([
    ['GET', `/apps/${APP.id}/channels`],
    ['POST', `/apps/${APP.id}/events`],
  ])('RT-2 %s %s is not there unless the operator turns it on, and neither are its sockets', async (method, path) => {
    const other = await startTestServer();
    try {
      expect((await guest(other).send(method as 'GET', path)).statusCode).toBe(404);
    } finally {
      await other.close();
    }
  });
});

describe('limits', () => {
  const event = (over: object) => JSON.stringify({ name: 'menu', data: '{}', channels: ['news'], ...over });
  const statusOf = async (over: object) => (await ask({ body: event(over) })).status;

  it('RT-3 data of 10 kB is taken, of more refused with 413, and so is a body that is no event at all', async () => {
    expect(await statusOf({ data: 'x'.repeat(10_240) })).toBe(200);
    expect(await statusOf({ data: 'x'.repeat(10_241) })).toBe(413);
    expect(await statusOf({ data: 'ü'.repeat(5_121) })).toBe(413);
    expect((await ask({ body: 'x'.repeat(300_000) })).status).toBe(413);
  });

  it.each([
    ['no name', { name: undefined }],
    ['a name of 201 characters', { name: 'n'.repeat(201) }],
    ['a name of the protocol', { name: 'pusher:error' }],
    ['an internal name of the protocol', { name: 'pusher_internal:member_added' }],
    ['data that is no text', { data: { soup: 1 } }],
    ['no channel', { channels: [] }],
    ['101 channels', { channels: Array.from({ length: 101 }, (_, n) => `news-${n}`) }],
    ['a channel name of 201 characters', { channels: ['c'.repeat(201)] }],
    ['a channel name outside of the grammar', { channels: ['news room'] }],
    ['a socket id that is none', { socket_id: 'x' }],
    ['a question that is not known', { info: 'cache' }],
  ])('RT-3 400 for an event with %s', async (_what, over) => {
    expect(await statusOf(over)).toBe(400);
  });

  it('RT-3 what is at the limit is taken: 100 channels, names of 200 characters, one channel without a list', async () => {
    expect(
      await statusOf({ channels: Array.from({ length: 100 }, (_, n) => `news-${n}`), name: 'n'.repeat(200) }),
    ).toBe(200);
    expect(await statusOf({ channels: undefined, channel: 'c'.repeat(200) })).toBe(200);
  });

  it('RT-3 a batch has ten events at most, and of a wrong one nothing is told', async () => {
    const path = `/apps/${APP.id}/batch_events`;
    const send = (batch: unknown) => ask({ path, body: JSON.stringify({ batch }) });
    const one = { name: 'menu', data: '1', channel: 'news' };
    const heard: unknown[] = [];
    const channel = await join(page('ana'), 'news');
    channel.bind('menu', (data: unknown) => heard.push(data));
    expect((await send(Array(11).fill(one))).status).toBe(400);
    expect((await send([one, { ...one, name: '' }])).status).toBe(400);
    expect((await send([])).status).toBe(400);
    const last = once(channel, 'end');
    expect((await send([{ ...one, name: 'end' }])).status).toBe(200);
    await last;
    expect(heard).toEqual([]);
  });

  it('RT-3 400 for a body that is no JSON object', async () => {
    for (const body of ['', 'null', '[]', '{', '"text"']) expect((await ask({ body })).status).toBe(400);
  });
});

describe('apart from the product', () => {
  it.each([
    ['key', { key: REALTIME_KEY }, 'WARDLINE_PUSHER_APP_KEY'],
    ['secret', { secret: 'a realtime secret that is only for tests' }, 'WARDLINE_PUSHER_APP_SECRET'],
  ])('RT-2 A13 no server starts with an application that has the %s of the product', async (_what, same, setting) => {
    await expect(startTestServer({ pusherApp: { ...APP, ...same } })).rejects.toThrow(setting);
  });

  it('RT-2 I1 the secret of the application reaches no channel of the product, not even by its name', async () => {
    const facility = await makeFacility(server.db);
    const mira = await makeUser(server.db);
    await makeMembership(server.db, { userId: mira.id, facility, roles: ['clinician'] });
    const client = withSession(server, await makeSession(server.db, { userId: mira.id, hasGivenFactor: true }));
    const { id } = await makeChat(server.db, { facilityId: facility.id, participants: [{ userId: mira.id }] });
    const name = channelName(chatChannel, id);
    const socket = await openSocket(server);
    expect(await socket.join(client, name)).toBe('joined');

    // The way in: an event as the product names it, and the end of its socket.
    await backEnd().trigger(name, 'App\\Events\\MessageSent', { forged: true });
    await backEnd().terminateUserConnections(mira.id);
    await socket.settle();
    expect(JSON.stringify(socket.frames)).not.toContain('forged');
    // The way out: who is there, and what is said.
    expect((await channelsOf()).channels).toEqual({});
    const spy = await join(page('ana'), name);
    const heard: string[] = [];
    spy.bind_global((event: string) => heard.push(event));
    server.gateway.publish(name, 'App\\Events\\MessageSent', { secret: true });
    await socket.next(({ event }) => event.endsWith('MessageSent'));
    const last = once(spy, 'end');
    await backEnd().trigger(name, 'end', {});
    await last;
    expect(heard.filter((event) => !event.startsWith('pusher:'))).toEqual(['end']);
    socket.close();
  });

  it('RT-2 A13 what is signed for the product opens nothing of the application, and the other way round', async () => {
    const client = page('ana');
    await until(() => expect(client.connection.state).toBe('connected'));
    const frames: { event: string; data: unknown }[] = [];
    client.connection.bind('message', (frame: { event: string; data: unknown }) => frames.push(frame));
    const { socket_id } = client.connection;
    const sign = (secret: string) =>
      `${APP.key}:${createHmac('sha256', secret).update(`${socket_id}:private-x`).digest('hex')}`;
    client.send_event('pusher:subscribe', {
      channel: 'private-x',
      auth: sign('a realtime secret that is only for tests'),
    });
    await until(() =>
      expect(frames).toContainEqual(
        expect.objectContaining({ event: 'pusher:subscription_error', data: expect.objectContaining({ status: 401 }) }),
      ),
    );
    client.send_event('pusher:subscribe', { channel: 'private-x', auth: sign(APP.secret) });
    await until(() =>
      expect(frames).toContainEqual(expect.objectContaining({ event: 'pusher_internal:subscription_succeeded' })),
    );
  });
});
