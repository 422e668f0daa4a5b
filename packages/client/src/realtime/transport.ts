import type { Channel } from '@wardline/contract/channel.ts';

/** States of the connection as pusher-js names them (RTA-3). */
export type ConnectionState = 'initialized' | 'connecting' | 'connected' | 'unavailable' | 'failed' | 'disconnected';

/** A frame as it came over the socket, its data parsed. */
export interface Frame {
  readonly event: string;
  readonly channel?: string | undefined;
  readonly data?: unknown;
  /** Who sent a client event, as the server says. */
  readonly user_id?: string | undefined;
}

export interface TransportEvents {
  onState(state: ConnectionState): void;
  onFrame(frame: Frame): void;
  /** A channel's authorisation failed; `error` is what the call rejected with. */
  onRefused(channelName: string, error: unknown): void;
}

/** One socket to the realtime server. */
export interface Transport {
  socketId(): string | null;
  /** Subscribes, now or as soon as there is a connection, and again after every reconnect. */
  subscribe(channel: Channel, id: string): void;
  /** Asks again after a refusal; nothing while one is under way or there is no connection. */
  subscribeAgain(channelName: string): void;
  unsubscribe(channelName: string): void;
  /** Sends a client event; lost when the channel is not subscribed. */
  whisper(channelName: string, event: string, data: unknown): void;
  /** There is reason to believe that connecting works now. */
  wake(): void;
  close(): void;
}

export type OpenTransport = (events: TransportEvents) => Transport;
