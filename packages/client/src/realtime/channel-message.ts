import type { Channel } from '@wardline/contract/channel.ts';
import { keyed } from '@wardline/contract/values.ts';
import * as z from 'zod/mini';
import type { Frame } from './transport.ts';

/** Somebody on a presence channel; `info` is the channel's own business. */
export interface ChannelMember {
  readonly id: string;
  readonly info: unknown;
}

/** What a frame says on its channel. */
export type ChannelMessage =
  | { readonly type: 'subscribed'; readonly data: unknown; readonly members: readonly ChannelMember[] }
  /** The server refused the subscription; 0 where it gives no status. */
  | { readonly type: 'refused'; readonly status: number }
  | { readonly type: 'member-added'; readonly member: ChannelMember }
  | { readonly type: 'member-removed'; readonly memberId: string }
  /** A client event; `from` is the sender as the server says, null where it does not. */
  | { readonly type: 'whisper'; readonly name: string; readonly data: unknown; readonly from: string | null }
  | { readonly type: 'event'; readonly name: string; readonly payload: unknown }
  /** An event of the contract whose payload does not fit at `path`. */
  | { readonly type: 'misfit'; readonly name: string; readonly path: string };

const Presence = z.object({
  presence: z.object({ hash: z.nullish(keyed(z.unknown())) }),
});
const Added = z.object({ user_id: z.union([z.string(), z.number()]), user_info: z.optional(z.unknown()) });
const Removed = z.object({ user_id: z.union([z.string(), z.number()]) });
const Refusal = z.object({ status: z.int() });
const WHISPER = 'client-';

/** Reads a frame of a channel; null where it says nothing to us. `namespace` stands before event names, with dots. */
export function readFrame(channel: Channel, namespace: string, frame: Frame): ChannelMessage | null {
  const { event, data } = frame;
  const prefix = namespace === '' ? '' : `${namespace.replaceAll('.', '\\')}\\`;
  if (event === 'pusher_internal:subscription_succeeded') {
    const parsed = z.safeParse(Presence, data);
    const hash = (parsed.success && parsed.data.presence.hash) || {};
    return { type: 'subscribed', data, members: Object.entries(hash).map(([id, info]) => ({ id, info })) };
  }
  if (event === 'pusher:subscription_error') {
    const parsed = z.safeParse(Refusal, data);
    return { type: 'refused', status: parsed.success ? parsed.data.status : 0 };
  }
  if (event === 'pusher_internal:member_added') {
    const parsed = z.safeParse(Added, data);
    if (!parsed.success) return null;
    return { type: 'member-added', member: { id: String(parsed.data.user_id), info: parsed.data.user_info } };
  }
  if (event === 'pusher_internal:member_removed') {
    const parsed = z.safeParse(Removed, data);
    return parsed.success ? { type: 'member-removed', memberId: String(parsed.data.user_id) } : null;
  }
  if (event.startsWith(WHISPER))
    return { type: 'whisper', name: event.slice(WHISPER.length), data, from: frame.user_id ?? null };
  return event.startsWith(prefix) ? readEvent(channel, event.slice(prefix.length), data) : null;
}

function readEvent(channel: Channel, name: string, data: unknown): ChannelMessage | null {
  const schema = Object.hasOwn(channel.events, name) ? channel.events[name] : undefined;
  if (schema === undefined) return null;
  const parsed = z.safeParse(schema, data);
  if (parsed.success) return { type: 'event', name, payload: parsed.data };
  const path = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
  return { type: 'misfit', name, path: path || '(whole)' };
}
