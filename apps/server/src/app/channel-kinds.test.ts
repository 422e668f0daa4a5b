// @vitest-environment happy-dom
// All four kinds of channels between this server and the client as it is shipped: pusher-js in its build for browsers.

import { type Channel, type ChannelKind, channel, channelName, kindOfChannel } from '@wardline/contract/channel.ts';
import Echo from 'laravel-echo';
import Pusher from 'pusher-js';
import { browser } from 'pusher-js/package.json' with { type: 'json' };
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { newId } from '#/platform/new-id.ts';
import { type MadeUser, makeUser } from '#/testing/factories/users.ts';
import { signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { REALTIME_KEY } from './client-config.ts';

interface Frame {
  readonly event: string;
  readonly channel?: string;
  readonly data?: unknown;
}

/** Of the client, whose types need those of a browser. */
type OpenEchoLine = (place: object, deps: object) => { subscribe(channel: Channel, id: string): void; close(): void };
const LINE = '@wardline/client/realtime/echo-line.ts';

const KINDS = ['public', 'private', 'presence', 'private-encrypted'] as const;
const declared = (kind: ChannelKind) => channel({ kind, pattern: `test-${kind}.{id}`, param: 'id', events: {} });
/** What no frame of an encrypted channel may show. */
const MARKER = 'MARKER-bed-4-calcium';
const closing: (() => void)[] = [];

let server: TestServer;
let member: MadeUser;
let asMember: TestClient;
let asStranger: TestClient;
const id = newId();

beforeAll(async () => {
  server = await startTestServer({ looksAfterSockets: false });
  [member] = [await makeUser(server.db, { name: 'Ana Reyes' })];
  [asMember, asStranger] = [await signedIn(server, member.id), await signedIn(server, (await makeUser(server.db)).id)];
  server.channelRules.add(
    KINDS.map((kind) => ({
      channel: declared(kind),
      join: async (actor) => (actor.userId === member.id ? { info: { name: actor.name } } : null),
    })),
  );
  vi.stubGlobal('WebSocket', WebSocket);
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.close();
});

interface Line {
  readonly subscribe: (of: Channel) => void;
  /** What arrived on channels, in the words of the client. */
  readonly frames: readonly Frame[];
  /** What arrived on the socket, as it came. */
  readonly wire: readonly string[];
  readonly refused: readonly [channel: string, message: string][];
}

/** The line that the web client opens, authorised as this person. */
async function openShipped(person: TestClient): Promise<Line> {
  const { default: client } = (await import(`pusher-js/${browser}`)) as { default: typeof Pusher };
  const { openEchoLine } = (await import(LINE)) as { openEchoLine: OpenEchoLine };
  const { hostname, port } = new URL(server.baseUrl);
  const frames: Frame[] = [];
  const wire: string[] = [];
  const refused: [string, string][] = [];
  const place = { key: REALTIME_KEY, wsHost: hostname, wsPort: Number(port), wssPort: Number(port), forceTLS: false };
  vi.stubGlobal(
    'WebSocket',
    class extends WebSocket {
      constructor(url: string) {
        super(url);
        this.on('message', (data) => wire.push(String(data)));
      }
    },
  );
  const line = openEchoLine(
    { ...place, enabledTransports: ['ws'], isSigningIn: false },
    {
      client,
      call: async (_endpoint: unknown, { body }: { body: object }) => {
        const answer = await person.send('POST', '/broadcasting/auth', { body });
        if (answer.statusCode !== 200) throw new Error(String(answer.statusCode));
        return answer.json();
      },
      events: {
        onState: () => undefined,
        onFrame: (frame: Frame) => frames.push(frame),
        onRefused: (name: string, error: unknown) => refused.push([name, String(error)]),
      },
    },
  );
  closing.push(line.close);
  return { subscribe: (of) => line.subscribe(of, id), frames, wire, refused };
}

const joinedBy = ({ frames }: Line) =>
  frames
    .filter(({ event }) => event === 'pusher_internal:subscription_succeeded')
    .map(({ channel: name = '' }) => name);

describe('the four kinds of channels of the shipped client', () => {
  it('F-C2 RT-1 are joined over one socket, and each brings its events', async () => {
    const line = await openShipped(asMember);
    for (const kind of KINDS) line.subscribe(declared(kind));
    await expect.poll(() => joinedBy(line).map(kindOfChannel).toSorted()).toEqual([...KINDS].toSorted());
    for (const kind of KINDS) {
      const outcome = server.gateway.publish(channelName(declared(kind), id), 'App\\Events\\Told', {
        text: `${MARKER} ${kind}`,
      });
      expect(outcome).toBe('queued');
    }
    const told = () => line.frames.filter(({ event }) => event === 'App\\Events\\Told').map(({ data }) => data);
    await expect.poll(() => told().length).toBe(4);
    expect(new Set(told().map((data) => (data as { text: string }).text))).toEqual(
      new Set(KINDS.map((kind) => `${MARKER} ${kind}`)),
    );
    const leaking = line.wire
      .filter((text) => text.includes(MARKER))
      .map((text) => kindOfChannel(JSON.parse(text).channel));
    expect(leaking.toSorted()).toEqual(['presence', 'private', 'public']);
    expect(line.wire.filter((text) => text.includes('connection_established'))).toHaveLength(1);
  });

  it('F-C2 A13 are refused to who may not join; a public channel that nobody declared does not exist', async () => {
    const line = await openShipped(asStranger);
    for (const kind of KINDS) line.subscribe(declared(kind));
    line.subscribe(channel({ kind: 'public', pattern: 'undeclared.{id}', param: 'id', events: {} }));
    await expect
      .poll(() => line.refused.map(([name]) => kindOfChannel(name)).toSorted())
      .toEqual(['presence', 'private', 'private-encrypted']);
    await expect.poll(() => joinedBy(line)).toEqual([channelName(declared('public'), id)]);
    const unknown = () =>
      line.frames.find(({ channel: name, event }) => name === `undeclared.${id}` && /error/.test(event));
    await expect.poll(() => unknown()?.data).toMatchObject({ status: 404 });
  });
});

describe('what /broadcasting/auth answers', () => {
  const auth = (person: TestClient, socketId: string, name: string) =>
    person.send('POST', '/broadcasting/auth', { body: { socket_id: socketId, channel_name: name } });

  it('F-C2 RTA-1 a secret of each encrypted channel to its members alone, and none for the other kinds', async () => {
    const socket = await openSocket(server);
    const encrypted = channelName(declared('private-encrypted'), id);
    const answer = (await auth(asMember, socket.id, encrypted)).json();
    expect(answer).toEqual({ auth: expect.any(String), shared_secret: expect.any(String) });
    expect(Buffer.from(answer.shared_secret, 'base64')).toHaveLength(32);
    expect((await auth(asMember, socket.id, encrypted)).json()).toEqual(answer);
    const other = (await auth(asMember, socket.id, channelName(declared('private-encrypted'), newId()))).json();
    expect(other.shared_secret).not.toBe(answer.shared_secret);
    const refused = await auth(asStranger, socket.id, encrypted);
    expect([refused.statusCode, refused.payload.includes('secret')]).toEqual([403, false]);
    expect((await auth(asMember, socket.id, channelName(declared('private'), id))).json()).toEqual({
      auth: expect.any(String),
    });
    expect((await auth(asMember, socket.id, channelName(declared('public'), id))).statusCode).toBe(403);
    socket.close();
  });
});

describe('laravel-echo as an application has it', () => {
  it('F-C2 RT-1 hears a public channel, and an encrypted one by encryptedPrivate', async () => {
    const { hostname, port } = new URL(server.baseUrl);
    const echo = new Echo({
      broadcaster: 'reverb',
      Pusher,
      key: REALTIME_KEY,
      wsHost: hostname,
      wsPort: Number(port),
      forceTLS: false,
      enabledTransports: ['ws'],
      authorizer: ({ name }: { name: string }) => ({
        authorize(socketId: string, answer: (error: Error | null, data: never) => void) {
          const body = { socket_id: socketId, channel_name: name };
          void asMember.send('POST', '/broadcasting/auth', { body }).then(({ json }) => answer(null, json() as never));
        },
      }),
    });
    closing.push(() => echo.disconnect());
    const heard: unknown[] = [];
    let joined = 0;
    for (const listening of [
      echo.channel(`test-public.${id}`),
      echo.encryptedPrivate(`test-private-encrypted.${id}`),
    ]) {
      listening.subscribed(() => (joined += 1)).listen('Told', (event: unknown) => heard.push(event));
    }
    await expect.poll(() => joined).toBe(2);
    server.gateway.publish(`test-public.${id}`, 'App\\Events\\Told', { n: 1 });
    server.gateway.publish(`private-encrypted-test-private-encrypted.${id}`, 'App\\Events\\Told', { n: 2 });
    await expect.poll(() => heard).toEqual([{ n: 1 }, { n: 2 }]);
  });
});
