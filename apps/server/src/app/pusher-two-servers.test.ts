import type Pusher from 'pusher-js';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openCluster } from '#/platform/cluster/open-cluster.ts';
import { hasRedis, type RealRedis, startRealRedis } from '#/platform/cluster/testing/real-redis.ts';
import { createLog } from '#/platform/log.ts';
import { once } from '#/platform/realtime/testing/gateway.ts';
import {
  backEndOf,
  openPage,
  PUSHER_APP,
  startWebhookReceiver,
  type WebhookReceiver,
} from '#/testing/counterparts/pusher-application.ts';
import { testDatabase } from '#/testing/test-database.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';

describe.skipIf(!hasRedis())('a Pusher application at two servers', () => {
  let redis: RealRedis;
  let receiver: WebhookReceiver;
  let a: TestServer;
  let b: TestServer;
  const pages: Pusher[] = [];

  beforeAll(async () => {
    redis = await startRealRedis();
    receiver = await startWebhookReceiver();
    const database = await testDatabase();
    const start = (close: () => Promise<void>) =>
      startTestServer({
        kept: { database: { ...database, close }, appKey: TEST_APP_KEY },
        cluster: openCluster(redis.url, { realtimeSecret: 'shared by the two', log: createLog('silent') }),
        pusherApp: { ...PUSHER_APP, webhooks: ['https://app.hospital.example/pusher'] },
        webhookWorld: receiver.world,
      });
    [a, b] = [await start(database.close), await start(async () => undefined)];
  });
  afterEach(() => {
    for (const page of pages.splice(0)) page.disconnect();
  });
  afterAll(async () => {
    await b.close();
    await a.close();
    await receiver.close();
    await redis.close();
  });

  async function join(server: TestServer, userId: string, name: string) {
    const page = openPage(server, userId);
    pages.push(page);
    const channel = page.subscribe(name);
    await once(channel, 'pusher:subscription_succeeded');
    return { page, channel };
  }

  const get = async (path: string, params = {}) => (await backEndOf(a).get({ path, params })).json();

  it('RT-2 OPS-5 what is triggered at one server is heard at the other, but by the socket that caused it', async () => {
    const [ana, ben] = [await join(a, 'ana', 'private-bar'), await join(a, 'ben', 'private-bar')];
    const heard: unknown[] = [];
    ben.channel.bind('menu', (data: unknown) => heard.push(data));
    const menu = once(ana.channel, 'menu');
    await backEndOf(b).trigger('private-bar', 'menu', 'soup', { socket_id: ben.page.connection.socket_id });
    expect(await menu).toBe('soup');
    const last = once(ben.channel, 'end');
    await backEndOf(b).trigger('private-bar', 'end', {});
    await last;
    expect(heard).toEqual([]);
  });

  it('RT-2 OPS-5 the lists count the sockets of all servers, and a person at two of them once', async () => {
    await Promise.all([
      join(a, 'ana', 'presence-hall'),
      join(b, 'ana', 'presence-hall'),
      join(b, 'ben', 'presence-hall'),
      join(b, 'ben', 'presence-yard'),
    ]);
    const channels = await get('/channels', { filter_by_prefix: 'presence-', info: 'user_count' });
    expect(channels).toEqual({ channels: { 'presence-hall': { user_count: 2 }, 'presence-yard': { user_count: 1 } } });
    const info = 'user_count,subscription_count';
    expect(await get('/channels/presence-hall', { info })).toEqual({
      occupied: true,
      user_count: 2,
      subscription_count: 3,
    });
    const { users } = (await get('/channels/presence-hall/users')) as { users: { id: string }[] };
    expect(users.map(({ id }) => id).sort()).toEqual(['ana', 'ben']);
    const trigger = await backEndOf(a).trigger('presence-yard', 'menu', 1, { info: 'subscription_count' });
    expect(await trigger.json()).toEqual({ channels: { 'presence-yard': { subscription_count: 1 } } });
  });

  it('RT-3 OPS-5 a presence channel takes a hundred people at all servers together; who is in it may join at the other too', async () => {
    const name = 'presence-stadium';
    const people = Array.from({ length: 100 }, (_, at) => `fan ${at}`);
    await Promise.all(people.map((person, at) => join(at % 2 === 0 ? a : b, person, name)));
    const enter = (server: TestServer, person: string) => {
      const page = openPage(server, person);
      pages.push(page);
      return page.subscribe(name);
    };
    const countAt = async (server: TestServer) =>
      (await once<{ count: number }>(enter(server, 'fan 0'), 'pusher:subscription_succeeded')).count;
    await vi.waitFor(async () => expect([await countAt(a), await countAt(b)]).toEqual([100, 100]), 10_000);
    for (const server of [a, b]) {
      const refused = once(enter(server, 'one too many'), 'pusher:subscription_error');
      expect(await refused).toMatchObject({ status: 4004 });
    }
  });

  it('RT-2 OPS-5 the connections of a user are closed at every server', async () => {
    const ana = openPage(a, 'ana');
    pages.push(ana);
    ana.signin();
    await vi.waitFor(() => expect(ana.user.user_data?.id).toBe('ana'), 15_000);
    await backEndOf(b).terminateUserConnections('ana');
    await vi.waitFor(() => expect(ana.connection.state).toBe('disconnected'), 15_000);
  });

  it('RT-5 OPS-5 a channel is told of once, from the first that comes at any server to the last that goes', async () => {
    const of = () =>
      receiver
        .told()
        .filter(({ channel }) => channel === 'presence-cellar')
        .map(({ name }) => name);
    const isTold = (...names: string[]) =>
      vi.waitFor(() => expect(of()).toEqual(expect.arrayContaining(names)), 15_000);
    const first = await join(a, 'ana', 'presence-cellar');
    await isTold('channel_occupied', 'member_added');
    const second = await join(b, 'ana', 'presence-cellar');
    first.page.disconnect();
    // By the time the next event of that server is told, its moves of before have been told, or left out.
    await vi.waitFor(
      async () =>
        expect(await get('/channels/presence-cellar', { info: 'subscription_count' })).toMatchObject({
          subscription_count: 1,
        }),
      3_000,
    );
    const later = await join(a, 'ben', 'presence-attic');
    later.page.disconnect();
    await vi.waitFor(
      () => expect(receiver.told()).toContainEqual({ name: 'channel_vacated', channel: 'presence-attic' }),
      15_000,
    );
    expect(of()).toEqual(['channel_occupied', 'member_added']);
    second.page.disconnect();
    await isTold('channel_vacated', 'member_removed');
    expect(of()).toHaveLength(4);
  });
});
