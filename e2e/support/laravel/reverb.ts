import { createHmac, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type WebSocket, WebSocketServer } from 'ws';

export const REVERB_KEY = 'laravel-app-key';
const SECRET = 'laravel-app-secret';

interface Socket {
  readonly id: string;
  readonly channels: Map<string, { user_id: string; user_info: unknown } | null>;
  say(event: string, data: object, channel?: string): void;
}

/** Laravel Reverb as its clients see it: handshake, signed subscriptions, presence, client events, and its own errors. */
export interface Reverb {
  readonly port: number;
  /** What /broadcasting/auth signs a socket in with. */
  signature(socketId: string, channel: string, channelData?: string): string;
  broadcast(channel: string, event: string, data: object, exceptSocketId?: string): void;
  stop(): Promise<void>;
}

export async function startReverb(): Promise<Reverb> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const address = server.address();
  if (typeof address === 'string' || address === null) throw new Error('Reverb has no port.');
  const sockets = new Set<Socket>();

  const broadcast: Reverb['broadcast'] = (channel, event, data, except) => {
    for (const socket of sockets) {
      if (socket.channels.has(channel) && socket.id !== except) socket.say(event, data, channel);
    }
  };

  server.on('connection', (connection, request) => {
    const socket = openSocket(connection);
    if (!request.url?.startsWith(`/app/${REVERB_KEY}?`)) {
      socket.say('pusher:error', { code: 4001, message: 'Application does not exist' });
      connection.close(4001);
      return;
    }
    sockets.add(socket);
    socket.say('pusher:connection_established', { socket_id: socket.id, activity_timeout: 30 });
    connection.on('message', (text) => answer(JSON.parse(String(text))));
    connection.on('close', () => {
      sockets.delete(socket);
      for (const name of socket.channels.keys()) leave(name);
    });

    const leave = (channel: string): void => {
      const member = socket.channels.get(channel);
      socket.channels.delete(channel);
      if (member) broadcast(channel, 'pusher_internal:member_removed', { user_id: member.user_id });
    };
    const answer = (frame: { event: string; channel?: string; data?: Record<string, string> }): void => {
      const { event, channel = '', data = {} } = frame;
      if (event === 'pusher:ping') socket.say('pusher:pong', {});
      else if (event === 'pusher:subscribe') subscribe(data['channel'] ?? '', data['auth'] ?? '', data['channel_data']);
      else if (event === 'pusher:unsubscribe') leave(data['channel'] ?? '');
      else if (event.startsWith('client-')) broadcast(channel, event, data, socket.id);
      else if (event !== 'pusher:pong') socket.say('pusher:error', { code: 4200, message: 'Invalid message format' });
    };
    const subscribe = (channel: string, auth: string, channelData?: string): void => {
      if (/^(private|presence)-/.test(channel) && auth !== signature(socket.id, channel, channelData)) {
        socket.say('pusher:error', { code: 4009, message: 'Connection is unauthorized' });
        return;
      }
      const member = channelData === undefined ? null : JSON.parse(channelData);
      socket.channels.set(channel, member);
      socket.say(
        'pusher_internal:subscription_succeeded',
        member === null ? {} : presenceOf(sockets, channel),
        channel,
      );
      if (member) broadcast(channel, 'pusher_internal:member_added', member, socket.id);
    };
  });

  return {
    port: address.port,
    signature,
    broadcast,
    async stop() {
      for (const client of server.clients) client.terminate();
      server.close();
      await once(server, 'close');
    },
  };
}

function openSocket(connection: WebSocket): Socket {
  return {
    id: `${randomInt(1e9)}.${randomInt(1e9)}`,
    channels: new Map(),
    // Reverb sends data as a text inside the text, as Pusher does.
    say: (event, data, channel) =>
      connection.send(
        JSON.stringify({ event, data: JSON.stringify(data), ...(channel === undefined ? {} : { channel }) }),
      ),
  };
}

function signature(socketId: string, channel: string, channelData?: string): string {
  const signed = [socketId, channel, ...(channelData === undefined ? [] : [channelData])].join(':');
  return `${REVERB_KEY}:${createHmac('sha256', SECRET).update(signed).digest('hex')}`;
}

function presenceOf(sockets: Iterable<Socket>, channel: string): object {
  const hash: Record<string, unknown> = {};
  for (const socket of sockets) {
    const member = socket.channels.get(channel);
    if (member) hash[member.user_id] = member.user_info;
  }
  const ids = Object.keys(hash);
  return { presence: { count: ids.length, ids, hash } };
}
