import type { Channel } from '@wardline/contract/channel.ts';
import * as z from 'zod/mini';
import type { Log } from '#/log.ts';
import type { Frame } from './line.ts';

/** Somebody on a presence channel; `info` is the channel's own business. */
export interface ChannelMember {
  readonly id: string;
  readonly info: unknown;
}

/** What a joiner wants to hear of a channel. */
export interface JoinHandlers<C extends Channel = Channel> {
  readonly events?: { readonly [Name in keyof C['events']]?: (payload: z.output<C['events'][Name]>) => void };
  /** After each subscription, the first and those after a reconnect; `data` is the server's raw answer. */
  readonly onSubscribed?: (data: unknown) => void;
  /** The channel was refused; 0 without an answer. Failures that may pass are tried again by themselves. */
  readonly onError?: (status: number) => void;
  readonly onHere?: (members: readonly ChannelMember[]) => void;
  readonly onJoining?: (member: ChannelMember) => void;
  readonly onLeaving?: (member: ChannelMember) => void;
  /** Client events by name; `from` is the sender as the server says, null where it does not. */
  readonly whispers?: Readonly<Record<string, (data: unknown, from: string | null) => void>>;
}

/** The handlers with their payload types forgotten. */
type AnyHandlers = Omit<JoinHandlers, 'events'> & {
  readonly events?: Readonly<Record<string, (payload: never) => void>>;
};

const Presence = z.object({
  presence: z.object({ hash: z.nullish(z.record(z.string(), z.unknown())) }),
});
const Added = z.object({ user_id: z.union([z.string(), z.number()]), user_info: z.optional(z.unknown()) });
const Removed = z.object({ user_id: z.union([z.string(), z.number()]) });

/** One channel of the socket, shared by all who joined it. */
export interface Subscription {
  add(handlers: AnyHandlers): void;
  /** Answers how many are left. */
  remove(handlers: AnyHandlers): number;
  handle(frame: Frame): void;
  refuse(status: number): void;
  /** The socket is gone: nobody is known to be here until the next answer. */
  interrupt(): void;
}

/** Makes the shared side of a channel. `namespace` stands before event names, with dots. */
export function createSubscription(channel: Channel, namespace: string, log: Log): Subscription {
  const joins = new Set<AnyHandlers>();
  const members = new Map<string, ChannelMember>();
  const prefix = namespace === '' ? '' : `${namespace.replaceAll('.', '\\')}\\`;
  let isSubscribed = false;

  const each = (tell: (handlers: AnyHandlers) => void): void => {
    for (const handlers of [...joins]) {
      try {
        tell(handlers);
      } catch (error) {
        log.error(`A handler of the channel ${channel.pattern} failed`, error);
      }
    }
  };
  const tellHere = (handlers: AnyHandlers): void => handlers.onHere?.([...members.values()]);

  const onSucceeded = (data: unknown): void => {
    isSubscribed = true;
    members.clear();
    const parsed = z.safeParse(Presence, data);
    for (const [id, info] of Object.entries((parsed.success && parsed.data.presence.hash) || {}))
      members.set(id, { id, info });
    each((handlers) => handlers.onSubscribed?.(data));
    if (channel.kind === 'presence') each(tellHere);
  };
  const onAdded = (data: unknown): void => {
    const parsed = z.safeParse(Added, data);
    if (!parsed.success) return;
    const member = { id: String(parsed.data.user_id), info: parsed.data.user_info };
    members.set(member.id, member);
    each((handlers) => handlers.onJoining?.(member));
  };
  const onRemoved = (data: unknown): void => {
    const parsed = z.safeParse(Removed, data);
    const member = parsed.success ? members.get(String(parsed.data.user_id)) : undefined;
    if (member === undefined) return;
    members.delete(member.id);
    each((handlers) => handlers.onLeaving?.(member));
  };
  const onEvent = (name: string, data: unknown): void => {
    const schema = Object.hasOwn(channel.events, name) ? channel.events[name] : undefined;
    if (schema === undefined) return;
    const parsed = z.safeParse(schema, data);
    if (!parsed.success) {
      const path = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
      log.warn(`An event ${name} on ${channel.pattern} does not fit at ${path || '(whole)'} and was dropped`);
      return;
    }
    each((handlers) => handlers.events?.[name]?.(parsed.data as never));
  };

  return {
    add(handlers) {
      joins.add(handlers);
      if (!isSubscribed) return;
      // The answer was for an earlier joiner and its numbers are old: a late one learns only that it is subscribed.
      queueMicrotask(() => {
        if (!isSubscribed || !joins.has(handlers)) return;
        handlers.onSubscribed?.(undefined);
        if (channel.kind === 'presence') tellHere(handlers);
      });
    },
    remove(handlers) {
      joins.delete(handlers);
      return joins.size;
    },
    handle({ event, data, user_id }) {
      if (event === 'pusher_internal:subscription_succeeded') onSucceeded(data);
      else if (event === 'pusher_internal:member_added') onAdded(data);
      else if (event === 'pusher_internal:member_removed') onRemoved(data);
      else if (event.startsWith('client-')) {
        const name = event.slice('client-'.length);
        each((handlers) => {
          if (Object.hasOwn(handlers.whispers ?? {}, name)) handlers.whispers?.[name]?.(data, user_id ?? null);
        });
      } else if (event.startsWith(prefix)) onEvent(event.slice(prefix.length), data);
    },
    refuse(status) {
      isSubscribed = false;
      each((handlers) => handlers.onError?.(status));
    },
    interrupt() {
      if (!isSubscribed) return;
      isSubscribed = false;
      members.clear();
      if (channel.kind === 'presence') each(tellHere);
    },
  };
}
