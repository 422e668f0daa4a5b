import type { Channel } from '@wardline/contract/channel.ts';
import type { RetryState } from '#/backoff.ts';
import type { ChannelMember, ChannelMessage } from './channel-message.ts';
import type { ChannelNotice } from './join-handlers.ts';
import type { ConnectionState } from './transport.ts';

export interface RealtimeState {
  /** Counts the transports of this client: what an earlier one still says is not heard. */
  readonly generation: number;
  readonly isOpen: boolean;
  /** The code of the transport is being loaded. */
  readonly isLoading: boolean;
  readonly loadRetry: RetryState;
  /** The channels that are wanted, by their names on the wire. */
  readonly channels: ReadonlyMap<string, ChannelState>;
}

/** One channel of the socket, shared by all who joined it. */
export interface ChannelState {
  readonly name: string;
  readonly channel: Channel;
  readonly id: string;
  readonly joinIds: readonly number[];
  readonly isSubscribed: boolean;
  readonly members: ReadonlyMap<string, ChannelMember>;
  /** A subscription that was refused for now is asked for again. */
  readonly retry: RetryState;
}

/** What may happen to the connection; randomness in [0, 1) comes with each event. */
export type RealtimeEvent = { readonly random: number } & (
  | {
      readonly type: 'join';
      readonly joinId: number;
      readonly name: string;
      readonly channel: Channel;
      readonly id: string;
    }
  /** The turn after a join of a channel that was subscribed before. */
  | { readonly type: 'join-settled'; readonly joinId: number; readonly name: string }
  | { readonly type: 'leave'; readonly joinId: number; readonly name: string }
  | { readonly type: 'wake' }
  | { readonly type: 'stop' }
  | { readonly type: 'transport-loaded'; readonly generation: number }
  | { readonly type: 'transport-not-loaded'; readonly error: unknown }
  | { readonly type: 'connection-changed'; readonly generation: number; readonly connection: ConnectionState }
  | {
      readonly type: 'message';
      readonly generation: number;
      readonly name: string;
      readonly message: ChannelMessage;
    }
  | {
      readonly type: 'refused';
      readonly generation: number;
      readonly name: string;
      readonly status: number;
      readonly isTemporary: boolean;
    }
  /** `name` is that of a channel, null for the loading of the transport. */
  | { readonly type: 'retry-due'; readonly name: string | null }
);

export type RealtimeEffect =
  | { readonly type: 'load-transport'; readonly generation: number }
  | { readonly type: 'open-transport'; readonly generation: number }
  | { readonly type: 'close-transport' }
  | { readonly type: 'wake-transport' }
  | { readonly type: 'show-connection'; readonly connection: ConnectionState }
  | { readonly type: 'subscribe'; readonly channel: Channel; readonly id: string }
  | { readonly type: 'subscribe-again'; readonly name: string }
  | { readonly type: 'unsubscribe'; readonly name: string }
  | {
      readonly type: 'tell';
      readonly channel: Channel;
      readonly joinIds: readonly number[];
      readonly notice: ChannelNotice;
    }
  | { readonly type: 'settle-join'; readonly joinId: number; readonly name: string }
  | { readonly type: 'set-timer'; readonly name: string | null; readonly delayMs: number }
  | { readonly type: 'clear-timer'; readonly name: string | null }
  | { readonly type: 'log'; readonly level: 'debug' | 'warn'; readonly line: string; readonly error?: unknown };
