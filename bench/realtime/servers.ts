import type { Server } from 'node:http';
import { Server as SocketIoServer } from 'socket.io';
import { type WebSocket, WebSocketServer } from 'ws';
import { createGateway } from '../../apps/server/src/platform/realtime/connections/gateway.ts';
import { channel, event, message, type ServerKind } from './cases.ts';

export type Broadcast = (n: number) => void;

/** Attaches one kind of server and returns its way to send message `n` to every subscriber. */
export const servers: Record<ServerKind, (server: Server) => Broadcast> = {
  gateway(server) {
    const gateway = createGateway({
      key: 'bench',
      secret: 'bench',
      isAllowedOrigin: () => true,
      authorize: async () => true,
      liveSessions: async (keys) => new Set(keys),
      isPublicChannel: () => true,
      limits: { anonymousMs: Number.POSITIVE_INFINITY, strangers: 10_000, strangersPerAddress: 10_000 },
    });
    gateway.attach(server);
    return (n) => gateway.publish(channel, event, message(n));
  },

  // As in the README of ws: a buffer, made once, sent to each client.
  ws(server) {
    const wss = new WebSocketServer({ server, perMessageDeflate: false });
    const clients = new Set<WebSocket>();
    wss.on('connection', (client) => {
      clients.add(client);
      client.on('close', () => clients.delete(client));
      client.on('error', () => {});
    });
    return (n) => {
      const text = Buffer.from(JSON.stringify({ event, channel, data: JSON.stringify(message(n)) }));
      for (const client of clients) client.send(text, { binary: false });
    };
  },

  'socket.io'(server) {
    const io = new SocketIoServer(server, {
      transports: ['websocket'],
      perMessageDeflate: false,
      serveClient: false,
      pingInterval: 3_600_000,
    });
    io.on('connection', (socket) => socket.join(channel));
    return (n) => {
      io.to(channel).emit(event, message(n));
    };
  },
};
