import { shortChannelName } from '@wardline/contract/channel.ts';
import { type Chat, chatChannel, userChannel } from '@wardline/contract/chat/chat.ts';
import Echo from 'laravel-echo';
import Pusher from 'pusher-js';
import { v7 as newId } from 'uuid';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { makeChat } from '#/testing/factories/chats.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { type MadeUser, makeUser, TEST_PASSWORD, testPasswordHash } from '#/testing/factories/users.ts';
import { guestWithCookies, type TestClient, withToken } from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';
import { REALTIME_KEY } from './client-config.ts';

let server: TestServer;
let facility: MadeFacility;
let ana: MadeUser;
let mira: MadeUser;
let stranger: MadeUser;
let chatId: string;
const lines: Echo<'reverb'>[] = [];

beforeAll(async () => {
  server = await startTestServer({ looksAfterSockets: false });
  facility = await makeFacility(server.db);
  const passwordHash = await testPasswordHash(TEST_APP_KEY);
  const person = (name: string) => makeUser(server.db, { name, passwordHash });
  [ana, mira, stranger] = [await person('Ana Reyes'), await person('Mira Okafor'), await person('Not In It')];
  for (const { id } of [ana, mira, stranger]) await makeMembership(server.db, { userId: id, facility });
  chatId = (
    await makeChat(server.db, {
      facilityId: facility.id,
      participants: [{ userId: ana.id, access: 'manage' }, { userId: mira.id }],
      messages: [{ senderId: ana.id, body: 'There before anybody listened' }],
    })
  ).id;
});
afterEach(() => {
  for (const line of lines.splice(0)) line.disconnect();
});
afterAll(() => server.close());

let addresses = 0;

/** Signs in as a person does, each time from another address, so that no limit is met. */
async function signInWithCookies(user: MadeUser): Promise<TestClient> {
  const client = await guestWithCookies(server);
  const body = { email: user.email, password: TEST_PASSWORD };
  const { statusCode } = await client.send('POST', '/login', { body, ip: `10.1.${addresses++}.1` });
  expect(statusCode).toBe(200);
  return client;
}

async function signInWithToken(user: MadeUser): Promise<TestClient> {
  const client = await guestWithCookies(server);
  const body = { email: user.email, password: TEST_PASSWORD, device_name: 'Ward tablet' };
  const answer = await client.send('POST', '/api/tokens', { body, ip: `10.2.${addresses++}.1` });
  expect(answer.statusCode).toBe(201);
  return withToken(server, answer.json<{ token: string }>().token);
}

/** laravel-echo and pusher-js as an application uses them, authorised over real HTTP. */
function connect(person: TestClient): Echo<'reverb'> {
  const { hostname, port } = new URL(server.baseUrl);
  const line = new Echo({
    broadcaster: 'reverb',
    Pusher,
    key: REALTIME_KEY,
    wsHost: hostname,
    wsPort: Number(port),
    forceTLS: false,
    enabledTransports: ['ws'],
    authorizer: (channel: { name: string }) => ({
      authorize(socketId: string, answer: (error: Error | null, data: never) => void) {
        const body = { socket_id: socketId, channel_name: channel.name };
        void person.send('POST', '/broadcasting/auth', { body }).then(({ statusCode, json }) => {
          if (statusCode === 200) answer(null, json() as never);
          else answer(new Error(String(statusCode)), null as never);
        });
      },
    }),
  });
  lines.push(line);
  return line;
}

const inChat = () => shortChannelName(chatChannel, chatId);

type Listenable = { subscribed(callback: () => void): unknown; error(callback: (error: unknown) => void): unknown };

function joined(channel: Listenable): Promise<void> {
  return new Promise((resolve, reject) => {
    channel.subscribed(() => resolve());
    channel.error((error) => reject(new Error(JSON.stringify(error))));
  });
}

function refusal(channel: Listenable): Promise<unknown> {
  return new Promise((resolve, reject) => {
    channel.error(resolve);
    channel.subscribed(() => reject(new Error('was let in')));
  });
}

for (const [mode, signIn] of [
  ['cookies', signInWithCookies],
  ['a bearer token', signInWithToken],
] as const) {
  test(`RTA-1 with ${mode}: a private channel hears what happened to the person's chats`, async () => {
    const person = await signIn(ana);
    const line = connect(person);
    const heard: Chat[] = [];
    const channel = line
      .private(shortChannelName(userChannel, ana.id))
      .listen('ChatChanged', (event: Chat) => heard.push(event));
    await joined(channel);
    const other = await signInWithCookies(mira);
    const body = { client_id: newId(), body: `Heard with ${mode}` };
    await other.send('POST', `/api/chats/${chatId}/messages`, { body });
    await expect.poll(() => heard).toHaveLength(1);
    expect(heard[0]).toMatchObject({ chat_id: chatId, facility_id: facility.id });
  });
}

test('RT-1 presence: here, joining and leaving, a whisper, and what is said', async () => {
  const anaHere = connect(await signInWithCookies(ana)).join(inChat());
  const seen: string[] = [];
  anaHere
    .here((people: { name: string }[]) => seen.push(`here ${people.map(({ name }) => name)}`))
    .joining(({ name }: { name: string }) => seen.push(`joining ${name}`))
    .leaving(({ name }: { name: string }) => seen.push(`leaving ${name}`))
    .listenForWhisper('typing', (event: { user: string }) => seen.push(`typing ${event.user}`))
    .listen('MessageSent', ({ message }: { message: { body: string } }) => seen.push(`said ${message.body}`));
  await joined(anaHere);
  const miraLine = connect(await signInWithToken(mira));
  const miraHere = miraLine.join(inChat());
  await joined(miraHere);
  miraHere.whisper('typing', { user: 'Mira' });
  await expect.poll(() => seen).toContain('typing Mira');
  const writer = await signInWithCookies(mira);
  await writer.send('POST', `/api/chats/${chatId}/messages`, {
    body: { client_id: newId(), body: 'Calcium is drawn up' },
  });
  await expect.poll(() => seen).toContain('said Calcium is drawn up');
  miraLine.disconnect();
  await expect.poll(() => seen).toContain('leaving Mira Okafor');
  expect(seen).toEqual([
    'here Ana Reyes',
    'joining Mira Okafor',
    'typing Mira',
    'said Calcium is drawn up',
    'leaving Mira Okafor',
  ]);
});

test('RT-10 toOthers: the socket named in X-Socket-ID is not told what it said itself', async () => {
  const [self, other] = [await signInWithCookies(ana), await signInWithCookies(mira)];
  const [selfLine, otherLine] = [connect(self), connect(other)];
  const [selfHeard, otherHeard]: [string[], string[]] = [[], []];
  const listen = (line: Echo<'reverb'>, heard: string[]) =>
    line.join(inChat()).listen('MessageSent', (event: { message: { body: string } }) => heard.push(event.message.body));
  await Promise.all([joined(listen(selfLine, selfHeard)), joined(listen(otherLine, otherHeard))]);
  const path = `/api/chats/${chatId}/messages`;
  const socket = { 'x-socket-id': selfLine.socketId() ?? '' };
  await self.send('POST', path, { body: { client_id: newId(), body: 'Only for others' }, headers: socket });
  await self.send('POST', path, { body: { client_id: newId(), body: 'For everybody' } });
  await expect.poll(() => selfHeard).toContain('For everybody');
  expect(selfHeard).toEqual(['For everybody']);
  expect(otherHeard).toEqual(['Only for others', 'For everybody']);
});

test('CHAT-6 A13 a channel of a chat that is not mine, or of nobody, is refused with 403', async () => {
  const line = connect(await signInWithCookies(stranger));
  expect(await refusal(line.join(inChat()))).toMatchObject({ error: '403' });
  expect(await refusal(line.private(shortChannelName(userChannel, ana.id)))).toMatchObject({ error: '403' });
  expect(await refusal(line.private('no.such.channel'))).toMatchObject({ error: '403' });
});

test('A10 ACC-7 signing out closes the session’s sockets by itself, and /broadcasting/auth answers 401', async () => {
  const person = await signInWithToken(ana);
  const line = connect(person);
  await joined(line.join(inChat()));
  const closed = new Promise<number>((resolve) => {
    const { connection } = line.connector.pusher;
    connection.bind('error', (event: { data?: { code?: number } }) => resolve(event.data?.code ?? 0));
  });
  const socketId = line.socketId();
  expect((await person.send('POST', '/logout', { body: {} })).statusCode).toBe(204);
  expect(await closed).toBe(4009);
  const body = { socket_id: socketId, channel_name: `presence-${inChat()}` };
  const again = await person.send('POST', '/broadcasting/auth', { body });
  expect(again.statusCode).toBe(401);
});

test('A14 CHAT-6 who is taken out of a chat hears nothing that is said after the commit', async () => {
  const { id } = await makeChat(server.db, {
    facilityId: facility.id,
    participants: [{ userId: ana.id, access: 'manage' }, { userId: mira.id }],
  });
  const [owner, removed] = [await signInWithCookies(ana), await signInWithCookies(mira)];
  const heard: string[] = [];
  const channel = connect(removed)
    .join(shortChannelName(chatChannel, id))
    .listen('MessageSent', (event: { message: { body: string } }) => heard.push(event.message.body));
  await joined(channel);
  const ended = new Promise((resolve) => channel.error(resolve));
  expect((await owner.send('DELETE', `/api/chats/${id}/participants/${mira.id}`, { body: {} })).statusCode).toBe(204);
  for (let n = 0; n < 20; n++) {
    await owner.send('POST', `/api/chats/${id}/messages`, { body: { client_id: newId(), body: `After it ${n}` } });
  }
  expect(await ended).toMatchObject({ status: 403 });
  expect(heard.filter((body) => body.startsWith('After it'))).toEqual([]);
});

test('A34 what another person wrote is not taken from this session', async () => {
  const person = await signInWithCookies(ana);
  const clientId = newId();
  const path = `/api/chats/${chatId}/messages`;
  const send = (author: string) =>
    person.send('POST', path, {
      body: { client_id: clientId, body: 'Mine alone' },
      headers: { 'x-wardline-user': author },
    });
  expect((await send(mira.id)).statusCode).toBe(401);
  expect((await send(ana.id)).statusCode).toBe(201);
});
