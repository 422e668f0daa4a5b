import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Pusher, { type Options } from 'pusher-js';
import { WebSocket } from 'ws';
import {
  createGateway,
  type Gateway,
  type GatewayOptions,
  type Identity,
} from '#/platform/realtime/connections/gateway.ts';
import { signChannel, signUser } from '#/platform/realtime/protocol/signature.ts';

export const app = { key: 'ward-key', secret: 'ward-secret' };

export type Frame = { event: string; channel?: string; data?: unknown; user_id?: string };

export type TestGateway = {
  gateway: Gateway;
  server: Server;
  port: number;
  errors: unknown[];
  stop: () => Promise<void>;
};

/** A gateway on a bare HTTP server, where everything is allowed unless the test says otherwise. */
export async function startGateway(options: Partial<GatewayOptions> = {}): Promise<TestGateway> {
  const errors: unknown[] = [];
  const gateway = createGateway({
    ...app,
    isAllowedOrigin: () => true,
    authorize: async () => true,
    liveSessions: async (keys) => new Set(keys),
    isPublicChannel: () => true,
    onError: (error) => errors.push(error),
    ...options,
    // A socket that shows nobody stays, unless the test is about that.
    limits: { anonymousMs: Number.POSITIVE_INFINITY, ...options.limits },
  });
  const server = createServer((_request, response) => response.end());
  gateway.attach(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    gateway.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { gateway, server, port, errors, stop };
}

/** Less than a test's limit, so that what was waited for is told. */
const PATIENCE_MS = 20_000;

/** Waits until `condition` holds; fails with `what` after a while. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const stopAt = Date.now() + PATIENCE_MS;
  while (!condition()) {
    if (Date.now() > stopAt) throw new Error(`Waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A socket without a library on it: sends anything, remembers the frames and the close code it got. */
export class RawClient {
  readonly ws: WebSocket;
  readonly frames: Frame[] = [];
  closeCode: number | null = null;
  closeReason = '';

  constructor(port: number, path = `/app/${app.key}?protocol=7`, headers: Record<string, string> = {}) {
    this.ws = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
    this.ws.on('message', (data) => this.frames.push(JSON.parse(String(data))));
    this.ws.on('close', (code, reason) => {
      this.closeCode = code;
      this.closeReason = String(reason);
    });
    this.ws.on('error', () => {});
  }

  static async connect(port: number): Promise<RawClient> {
    const client = new RawClient(port);
    await client.wait('pusher:connection_established');
    return client;
  }

  get socketId(): string {
    const first = this.frames.find(({ event }) => event === 'pusher:connection_established');
    return JSON.parse(String(first?.data)).socket_id;
  }

  send(frame: unknown): void {
    this.ws.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  subscribe(channel: string, auth = '', channel_data?: string): void {
    this.send({ event: 'pusher:subscribe', data: { channel, auth, channel_data } });
  }

  of(event: string, channel?: string): Frame[] {
    return this.frames.filter((frame) => frame.event === event && (channel ?? frame.channel) === frame.channel);
  }

  async wait(event: string, channel?: string): Promise<Frame> {
    await until(() => this.of(event, channel).length > 0, `${event} arrives; got ${JSON.stringify(this.frames)}`);
    return this.of(event, channel)[0] ?? { event: '' };
  }

  async waitClose(): Promise<number> {
    await until(() => this.closeCode !== null, 'the socket is closed');
    return this.closeCode ?? 0;
  }

  /** A ping and its pong: whatever the server had to say to earlier frames is here afterwards. */
  async settle(): Promise<void> {
    const before = this.of('pusher:pong').length;
    this.send({ event: 'pusher:ping', data: {} });
    await until(() => this.of('pusher:pong').length > before, 'the pong arrives');
  }

  /** Joins a channel as a person, the way the auth endpoint does it. */
  async join(gateway: Gateway, channel: string, person: Person): Promise<Frame> {
    gateway.identify(this.socketId, identityOf(person));
    const channelData = channel.startsWith('presence-') ? channelDataOf(person) : undefined;
    this.subscribe(channel, signChannel(app, this.socketId, channel, channelData), channelData);
    return this.wait('pusher_internal:subscription_succeeded', channel);
  }
}

export type Person = { id: string; name?: string; sessionKey?: string };

export function identityOf(person: Person): Identity {
  return { userId: person.id, sessionKey: person.sessionKey ?? `session-of-${person.id}` };
}

export function channelDataOf(person: Person): string {
  return JSON.stringify({ user_id: person.id, user_info: { name: person.name ?? person.id } });
}

/** The options of a pusher-js that authorises as `person`, as the HTTP endpoints would. `may` says no with a 403. */
export function pusherOptions(
  { gateway, port }: TestGateway,
  person: Person,
  may: (channel: string) => boolean = () => true,
): Options {
  return {
    cluster: '',
    wsHost: '127.0.0.1',
    wsPort: port,
    forceTLS: false,
    enabledTransports: ['ws'],
    channelAuthorization: {
      endpoint: '',
      transport: 'ajax',
      customHandler: ({ socketId, channelName }, callback) => {
        if (!may(channelName) || !gateway.identify(socketId, identityOf(person))) {
          callback(new Error('403 Forbidden'), null);
          return;
        }
        const channel_data = channelName.startsWith('presence-') ? channelDataOf(person) : undefined;
        const auth = signChannel(app, socketId, channelName, channel_data);
        callback(null, channel_data === undefined ? { auth } : { auth, channel_data });
      },
    },
    userAuthentication: {
      endpoint: '',
      transport: 'ajax',
      customHandler: ({ socketId }, callback) => {
        gateway.identify(socketId, identityOf(person));
        const user_data = JSON.stringify({ id: person.id, user_info: { name: person.name ?? person.id } });
        callback(null, { auth: signUser(app, socketId, user_data), user_data });
      },
    },
  };
}

export function createPusher(server: TestGateway, person: Person, may?: (channel: string) => boolean): Pusher {
  return new Pusher(app.key, pusherOptions(server, person, may));
}

/** Resolves with the data of the next event of that name on a channel or connection. */
export function once<T = unknown>(
  target: { bind(event: string, listener: (data: T) => void): unknown },
  event: string,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Waited in vain for ${event}`)), PATIENCE_MS);
    target.bind(event, (data: T) => {
      clearTimeout(timer);
      resolve(data);
    });
  });
}
