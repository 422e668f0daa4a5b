import { channelName, shortChannelName } from '@wardline/contract/channel.ts';
import { chatChannel } from '@wardline/contract/chat/chat.ts';
import { LIVE_EVENT } from '@wardline/contract/live.ts';
import Echo from 'laravel-echo';
import Pusher from 'pusher-js';
import { v7 as newId } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openCluster } from '#/platform/cluster/open-cluster.ts';
import { startGatewayProcess } from '#/platform/cluster/testing/gateway-process.ts';
import { hasRedis, type RealRedis, startRealRedis } from '#/platform/cluster/testing/real-redis.ts';
import { createLog } from '#/platform/log.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { makeExamination } from '#/testing/factories/examinations.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { makeSession, makeUser, TEST_PASSWORD, testPasswordHash } from '#/testing/factories/users.ts';
import { guestWithCookies, type TestClient, withSession } from '#/testing/test-client.ts';
import { testDatabase } from '#/testing/test-database.ts';
import { startTestServer, TEST_APP_KEY, TEST_REALTIME_SECRET, type TestServer } from '#/testing/test-server.ts';
import { openSocket, type TestSocket } from '#/testing/test-socket.ts';
import { REALTIME_KEY } from './client-config.ts';

/** A person with one session, at each of the servers. */
interface Person {
  readonly id: string;
  readonly email: string;
  readonly a: TestClient;
  readonly b: TestClient;
}

describe.skipIf(!hasRedis())('two servers of one installation', () => {
  let redis: RealRedis;
  let a: TestServer;
  let b: TestServer;
  let facility: MadeFacility;
  let passwordHash: string;
  let ana: Person;
  let mira: Person;
  let chatId: string;
  const sockets: TestSocket[] = [];
  const echoes: Echo<'reverb'>[] = [];

  beforeAll(async () => {
    redis = await startRealRedis();
    const database = await testDatabase();
    const start = (close: () => Promise<void>) =>
      startTestServer({
        kept: { database: { ...database, close }, appKey: TEST_APP_KEY },
        writesPerSecond: 5,
        cluster: openCluster(redis.url, { realtimeSecret: TEST_REALTIME_SECRET, log: createLog('silent') }),
      });
    [a, b] = [await start(database.close), await start(async () => undefined)];
    facility = await makeFacility(a.db);
    passwordHash = await testPasswordHash(TEST_APP_KEY);
  });
  beforeEach(async () => {
    [ana, mira] = [await person('Ana Reyes', 'facilityAdministrator'), await person('Mira Okafor', 'clinician')];
    const participants = [{ userId: ana.id, access: 'manage' as const }, { userId: mira.id }];
    chatId = (await makeChat(a.db, { facilityId: facility.id, participants })).id;
    await untilHearing();
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
    for (const echo of echoes.splice(0)) echo.disconnect();
    vi.restoreAllMocks();
  });
  afterAll(async () => {
    await b.close();
    await a.close();
    await redis.close();
  });

  async function person(name: string, role: 'clinician' | 'facilityAdministrator'): Promise<Person> {
    const { id, email } = await makeUser(a.db, { name, passwordHash });
    await makeMembership(a.db, { userId: id, facility, roles: [role] });
    const session = await makeSession(a.db, { userId: id, hasGivenFactor: true });
    return { id, email, a: withSession(a, session), b: withSession(b, session) };
  }

  async function openOn(server: Pick<TestServer, 'baseUrl'>): Promise<TestSocket> {
    const socket = await openSocket(server);
    sockets.push(socket);
    return socket;
  }

  /** What a new socket is met with: 'open', or the code of its end. */
  function knock({ baseUrl }: Pick<TestServer, 'baseUrl'>): Promise<'open' | number> {
    const { host } = new URL(baseUrl);
    const socket = new WebSocket(`ws://${host}/app/${REALTIME_KEY}?protocol=7`, { origin: baseUrl });
    return new Promise((resolve, reject) => {
      socket.on('error', reject);
      socket.on('close', resolve);
      socket.on('message', (frame) => {
        if (!String(frame).includes('connection_established')) return;
        resolve('open');
        socket.close();
      });
    });
  }

  const untilHearing = () =>
    vi.waitFor(async () => expect([await knock(a), await knock(b)]).toEqual(['open', 'open']), 10_000);

  const channel = () => `private-chat.${chatId}`;
  const isMessage = (body: string) => (frame: { event: string; data: unknown }) =>
    frame.event.endsWith('MessageSent') && JSON.stringify(frame.data).includes(body);
  const say = (client: TestClient, body: string, socketId?: string) =>
    client.send('POST', `/api/chats/${chatId}/messages`, {
      body: { client_id: newId(), body },
      ...(socketId !== undefined && { headers: { 'x-socket-id': socketId } }),
    });

  /** What the server of `speaker` has told until now is known at the other, where they are heard: a server hears another in order. */
  async function untilTold(speaker: TestClient, other: TestServer, listener: TestClient): Promise<void> {
    const socket = await openOn(other);
    expect(await socket.join(listener, channel())).toBe('joined');
    await say(speaker, 'all was told');
    await socket.next(isMessage('all was told'));
  }

  it('OPS-5 who is at one server hears what is said at the other, but for the socket that said it', async () => {
    const [miras, anas] = [await openOn(a), await openOn(a)];
    expect(await miras.join(mira.a, channel())).toBe('joined');
    expect(await anas.join(ana.a, channel())).toBe('joined');
    expect((await say(ana.b, 'Bed 4 is free', anas.id)).statusCode).toBe(201);
    await miras.next(isMessage('Bed 4 is free'));
    await say(ana.b, 'and clean');
    await anas.next(isMessage('and clean'));
    expect(anas.frames.some(isMessage('Bed 4 is free'))).toBe(false);
  });

  it('OPS-5 the leave to join is asked at any server, and a socket of another session is bound by none', async () => {
    const socket = await openOn(a);
    expect(await socket.join(mira.b, channel())).toBe('joined');
    expect(await socket.join(ana.b, channel())).toBe(403);
    const body = { socket_id: '1.1', channel_name: channel() };
    expect((await mira.b.send('POST', '/broadcasting/auth', { body })).statusCode).toBe(409);
  });

  it('OPS-5 RT-10 a right that one server takes is gone at the other', async () => {
    const socket = await openOn(a);
    expect(await socket.join(mira.a, channel())).toBe('joined');
    expect((await mira.a.send('GET', `/api/chats/${chatId}/messages`)).statusCode).toBe(200);
    const removed = await ana.b.send('DELETE', `/api/facilities/${facility.id}/members/${mira.id}`);
    expect(removed.statusCode).toBeLessThan(300);
    await socket.next(
      ({ event, data }) => event.endsWith('subscription_error') && JSON.stringify(data).includes('403'),
    );
    await say(ana.b, 'not for Mira');
    await socket.settle();
    expect(socket.frames.some(isMessage('not for Mira'))).toBe(false);
    expect((await mira.a.send('GET', `/api/chats/${chatId}/messages`)).statusCode).toBeGreaterThanOrEqual(403);
  });

  it('OPS-5 A10 signing out at one server closes the sockets at the other', async () => {
    const socket = await openOn(a);
    expect(await socket.join(mira.a, channel())).toBe('joined');
    expect((await mira.b.send('POST', '/logout')).statusCode).toBe(204);
    expect(await socket.closed).toBe(4009);
    expect((await mira.a.send('GET', '/api/user')).statusCode).toBe(401);
  });

  it('OPS-5 F-S5 what a person has written at one server counts at the other', async () => {
    // Whatever is sent is sent at the same moment, however long the machine takes for it.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const answers = await Promise.all(Array.from({ length: 30 }, (_, turn) => say(ana.a, `${turn}`)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
    await untilTold(mira.a, b, mira.b);
    expect((await say(ana.b, 'one too many')).statusCode).toBe(429);
  });

  it('OPS-5 A1 a hundred wrong passwords at one server delay the next at the other, but not where somebody is known', async () => {
    const signIn = async (server: TestServer, ip: string, password = 'wrong') =>
      (await guestWithCookies(server)).send('POST', '/login', { ip, body: { email: mira.email, password } });
    expect((await signIn(a, '192.0.2.7', TEST_PASSWORD)).statusCode).toBe(200);
    for (let turn = 0; turn < 100; turn++) expect((await signIn(a, `198.51.${turn}.9`)).statusCode).toBe(422);
    await untilTold(mira.a, b, mira.b);
    expect((await signIn(b, '203.0.113.9')).statusCode).toBe(429);
    expect((await signIn(b, '192.0.2.7', TEST_PASSWORD)).statusCode).toBe(200);
  });

  it('OPS-5 R3 while the servers do not hear each other no socket is open, and after it nothing is lost', async () => {
    const [miras, anas] = [await openOn(a), await openOn(b)];
    expect(await miras.join(mira.a, channel())).toBe('joined');
    expect(await anas.join(ana.b, channel())).toBe('joined');
    await redis.kill();
    expect(await Promise.all([miras.closed, anas.closed])).toEqual([4100, 4100]);
    expect([await knock(a), await knock(b)]).toEqual([4100, 4100]);
    expect((await say(ana.b, 'said meanwhile')).statusCode).toBe(201);
    await redis.start();
    await untilHearing();
    const back = await openOn(a);
    expect(await back.join(mira.a, channel())).toBe('joined');
    const caughtUp = await mira.a.send('GET', `/api/chats/${chatId}/messages?after=0`);
    expect(caughtUp.body).toContain('said meanwhile');
    await say(ana.b, 'said afterwards');
    await back.next(isMessage('said afterwards'));
  });

  function echoOf(server: TestServer, client: TestClient): Echo<'reverb'> {
    const { hostname, port } = new URL(server.baseUrl);
    const echo = new Echo({
      ...{ broadcaster: 'reverb', key: REALTIME_KEY, Pusher, wsHost: hostname, wsPort: Number(port) },
      ...{ forceTLS: false, enabledTransports: ['ws'] },
      authorizer: ({ name }: { name: string }) => ({
        authorize(socketId: string, done: (error: Error | null, data: never) => void) {
          void client
            .send('POST', '/broadcasting/auth', { body: { socket_id: socketId, channel_name: name } })
            .then((answer) => done(null, answer.json<never>()));
        },
      }),
    });
    echoes.push(echo);
    return echo;
  }

  it('OPS-5 Laravel Echo types from one server to the other', async () => {
    const [atA, atB] = [echoOf(a, ana.a), echoOf(b, mira.b)];
    const heard: unknown[] = [];
    const name = shortChannelName(chatChannel, chatId);
    const joined = (echo: Echo<'reverb'>) =>
      new Promise<void>((resolve) => void echo.private(name).subscribed(() => resolve()));
    await Promise.all([joined(atA), joined(atB)]);
    atA.private(name).listenForWhisper('typing', (said: unknown) => heard.push(said));
    const whispering = setInterval(() => atB.private(name).whisper('typing', { user: 'Mira' }), 50);
    await vi.waitFor(() => expect(heard).toContainEqual({ user: 'Mira' }), 5_000);
    clearInterval(whispering);
  });

  /** What a page at a chat sees of who has it open, in the order in which it does; and how it goes. */
  async function openChat(server: TestServer, client: TestClient) {
    const echo = echoOf(server, client);
    const seen: string[] = [];
    await new Promise<void>((resolve) => {
      echo
        .join(shortChannelName(chatChannel, chatId))
        .here((people: { name: string }[]) => {
          seen.push(`here ${people.map(({ name }) => name).sort()}`);
          resolve();
        })
        .joining(({ name }: { name: string }) => seen.push(`joining ${name}`))
        .leaving(({ name }: { name: string }) => seen.push(`leaving ${name}`));
    });
    return { seen, close: () => echo.disconnect() };
  }

  it('OPS-5 RT-1 two people at two servers see that both have the chat open, until one leaves it', async () => {
    const anas = await openChat(a, ana.a);
    await untilTold(ana.a, b, mira.b);
    const miras = await openChat(b, mira.b);
    expect(miras.seen).toEqual(['here Ana Reyes,Mira Okafor']);
    await vi.waitFor(() => expect(anas.seen).toEqual(['here Ana Reyes', 'joining Mira Okafor']), 5_000);
    anas.close();
    await vi.waitFor(() => expect(miras.seen).toEqual(['here Ana Reyes,Mira Okafor', 'leaving Ana Reyes']), 5_000);
  });

  it('OPS-5 RT-1 one person in two tabs at two servers is one member, from the first to the last', async () => {
    const anas = await openChat(a, ana.a);
    const atA = await openChat(a, mira.a);
    await untilTold(mira.a, b, mira.b);
    const atB = await openChat(b, mira.b);
    await untilTold(mira.b, a, mira.a);
    atA.close();
    await vi.waitFor(() => expect(a.gateway.rosters.presentHere(channelName(chatChannel, chatId))).toHaveLength(1));
    await untilTold(mira.a, b, mira.b);
    expect([anas.seen, atB.seen]).toEqual([['here Ana Reyes', 'joining Mira Okafor'], ['here Ana Reyes,Mira Okafor']]);
    atB.close();
    const all = ['here Ana Reyes', 'joining Mira Okafor', 'leaving Mira Okafor'];
    await vi.waitFor(() => expect(anas.seen).toEqual(all), 5_000);
  });

  it('OPS-5 R3 a server that is killed takes its members along', async () => {
    const killed = await startGatewayProcess(redis.url, REALTIME_KEY, TEST_REALTIME_SECRET);
    try {
      await vi.waitFor(async () => expect(await knock(killed)).toBe('open'), 10_000);
      const there = await openOn(killed);
      expect(await there.join(mira.a, channelName(chatChannel, chatId))).toBe('joined');
      const anas = await openChat(b, ana.b);
      await vi.waitFor(() => expect(anas.seen.join()).toContain('Mira Okafor'), 5_000);
      await killed.kill();
      await vi.waitFor(() => expect(anas.seen).toContain('leaving Mira Okafor'), 15_000);
    } finally {
      await killed.kill();
    }
  });

  it('OPS-5 EXAM-1 who is in a field is heard at the other server, and that they have left it', async () => {
    const name = channelName(chatChannel, chatId);
    const [anas, miras] = [await openOn(a), await openOn(b)];
    expect([await anas.join(ana.a, name), await miras.join(mira.b, name)]).toEqual(['joined', 'joined']);
    const examination = await makeExamination(a.db, { chatId, facilityId: facility.id, userId: ana.id });
    const entry = {
      path: `examinations/${examination}/fields/potassium`,
      ...{ value: 'editing', ttl_ms: 10_000 },
    };
    const device = newId();
    for (const [n, entries] of [[entry], []].entries()) {
      miras.whisper(name, LIVE_EVENT, { device, n: n + 1, entries });
      const heard = await anas.next(({ event }) => event === `client-${LIVE_EVENT}`);
      expect(heard).toMatchObject({ user_id: mira.id, data: { entries } });
    }
  });
});
