import { channelName } from '@wardline/contract/channel.ts';
import type { OpenTransport, Transport, TransportEvents } from '#/realtime/transport.ts';

/** Thrown by an answer: the server itself refuses by a frame, after the right to join was given. */
export class RefusedByFrame extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`refused with ${status}`);
    this.status = status;
  }
}

interface FakeSocket {
  readonly id: string;
  readonly events: TransportEvents;
  readonly channels: Set<string>;
  isUp: boolean;
}

/** A realtime server in memory: what is published reaches every subscribed line, in the next microtask. */
export interface FakeRealtime {
  readonly openLine: OpenTransport;
  /** What a subscription is answered with; throw to refuse. */
  answer: (channelName: string) => unknown;
  /** False: what is said now is lost, as on a socket that is dead and does not know. */
  isDelivering: boolean;
  publish(channelName: string, event: string, data: unknown, exceptSocketId?: string | null): void;
  drop(): void;
  restore(): void;
}

export function createFakeRealtime(): FakeRealtime {
  const sockets = new Set<FakeSocket>();
  let count = 0;
  let isNetworkUp = true;

  const subscribe = (socket: FakeSocket, name: string): void => {
    queueMicrotask(() => {
      if (!socket.isUp || !socket.channels.has(name)) return;
      try {
        const data = hub.answer(name);
        socket.events.onFrame({ event: 'pusher_internal:subscription_succeeded', channel: name, data });
      } catch (error) {
        if (error instanceof RefusedByFrame) {
          const data = { type: 'LimitReached', error: error.message, status: error.status };
          socket.events.onFrame({ event: 'pusher:subscription_error', channel: name, data });
        } else socket.events.onRefused(name, error);
      }
    });
  };
  const raise = (socket: FakeSocket): void => {
    if (!isNetworkUp || socket.isUp) return;
    socket.isUp = true;
    socket.events.onState('connected');
    for (const name of socket.channels) subscribe(socket, name);
  };
  const openLine: OpenTransport = (events): Transport => {
    count += 1;
    const socket: FakeSocket = { id: `${count}.${count}`, events, channels: new Set(), isUp: false };
    sockets.add(socket);
    queueMicrotask(() => sockets.has(socket) && raise(socket));
    return {
      socketId: () => (socket.isUp ? socket.id : null),
      subscribe(channel, id) {
        const name = channelName(channel, id);
        socket.channels.add(name);
        if (socket.isUp) subscribe(socket, name);
      },
      subscribeAgain: (name) => socket.isUp && subscribe(socket, name),
      unsubscribe: (name) => void socket.channels.delete(name),
      whisper: (name, event, data) => hub.publish(name, `client-${event}`, data, socket.id),
      wake: () => raise(socket),
      close() {
        socket.isUp = false;
        sockets.delete(socket);
      },
    };
  };
  const hub: FakeRealtime = {
    openLine,
    answer: () => ({}),
    isDelivering: true,
    publish(name, event, data, exceptSocketId = null) {
      if (!hub.isDelivering) return;
      for (const socket of sockets) {
        if (!socket.isUp || socket.id === exceptSocketId || !socket.channels.has(name)) continue;
        queueMicrotask(() => socket.isUp && socket.events.onFrame({ event, channel: name, data }));
      }
    },
    drop() {
      isNetworkUp = false;
      for (const socket of sockets) {
        if (!socket.isUp) continue;
        socket.isUp = false;
        socket.events.onState('connecting');
      }
    },
    restore() {
      isNetworkUp = true;
      for (const socket of sockets) raise(socket);
    },
  };
  return hub;
}
