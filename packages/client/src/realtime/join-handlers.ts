import type { Channel } from '@wardline/contract/channel.ts';
import type * as z from 'zod/mini';
import type { ChannelMember } from './channel-message.ts';

/** What a joiner wants to hear of a channel. */
export interface JoinHandlers<C extends Channel = Channel> {
  readonly events?: { readonly [Name in keyof C['events']]?: (payload: z.output<C['events'][Name]>) => void };
  /** After each subscription, the first and those after a reconnect; `data` is the server's raw answer. */
  readonly onSubscribed?: (data: unknown) => void;
  /** The channel was refused; 0 without an answer. Failures that may pass are tried again by themselves. */
  readonly onError?: (status: number) => void;
  /** The socket is gone: nobody is known to be here until the next answer. */
  readonly onDisconnected?: () => void;
  readonly onHere?: (members: readonly ChannelMember[]) => void;
  readonly onJoining?: (member: ChannelMember) => void;
  readonly onLeaving?: (member: ChannelMember) => void;
  /** Client events by name; `from` is the sender as the server says, null where it does not. */
  readonly whispers?: Readonly<Record<string, (data: unknown, from: string | null) => void>>;
}

/** The handlers with their payload types forgotten. */
export type AnyHandlers = Omit<JoinHandlers, 'events'> & {
  readonly events?: Readonly<Record<string, (payload: never) => void>>;
};

/** What those who joined a channel are told of it. */
export type ChannelNotice =
  | { readonly type: 'subscribed'; readonly data: unknown }
  | { readonly type: 'refused'; readonly status: number }
  | { readonly type: 'disconnected' }
  | { readonly type: 'here'; readonly members: readonly ChannelMember[] }
  | { readonly type: 'joining'; readonly member: ChannelMember }
  | { readonly type: 'leaving'; readonly member: ChannelMember }
  | { readonly type: 'whisper'; readonly name: string; readonly data: unknown; readonly from: string | null }
  | { readonly type: 'event'; readonly name: string; readonly payload: unknown };

/** Calls the handler that a notice is for, where there is one. */
export function callHandler(handlers: AnyHandlers, notice: ChannelNotice): void {
  switch (notice.type) {
    case 'subscribed':
      handlers.onSubscribed?.(notice.data);
      break;
    case 'refused':
      handlers.onError?.(notice.status);
      break;
    case 'disconnected':
      handlers.onDisconnected?.();
      break;
    case 'here':
      handlers.onHere?.(notice.members);
      break;
    case 'joining':
      handlers.onJoining?.(notice.member);
      break;
    case 'leaving':
      handlers.onLeaving?.(notice.member);
      break;
    case 'whisper':
      if (Object.hasOwn(handlers.whispers ?? {}, notice.name))
        handlers.whispers?.[notice.name]?.(notice.data, notice.from);
      break;
    case 'event':
      handlers.events?.[notice.name]?.(notice.payload as never);
      break;
  }
}
