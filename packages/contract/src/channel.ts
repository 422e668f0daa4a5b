import type * as z from 'zod/mini';

/**
 * Who may join, and who can read: anyone, the authorised, the authorised who see each other, the authorised through a
 * realtime server that reads nothing of what it carries.
 */
export type ChannelKind = 'public' | 'private' | 'presence' | 'private-encrypted';

/** A realtime channel as a value: how its name is made, how a name is read, and what is said on it. */
export interface Channel<
  Param extends string = string,
  Events extends Record<string, z.ZodMiniType> = Record<string, z.ZodMiniType>,
> {
  readonly kind: ChannelKind;
  /** Name without the kind's prefix; `{param}` marks the one id in it, and may be all of it. */
  readonly pattern: string;
  readonly param: Param;
  /** Event name inside the namespace App.Events → payload. */
  readonly events: Events;
}

/** States a channel. */
export function channel<const Param extends string, Events extends Record<string, z.ZodMiniType>>(
  stated: Channel<Param, Events>,
): Channel<Param, Events> {
  return stated;
}

/** The name on the wire, e.g. `presence-chat.0197…`; a public channel has no prefix. */
export function channelName(stated: Channel, id: string): string {
  return prefixOf(stated) + shortChannelName(stated, id);
}

/** The name as Laravel Echo takes it, without the kind's prefix. */
export function shortChannelName(stated: Channel, id: string): string {
  return stated.pattern.replace(`{${stated.param}}`, id);
}

/** The id in a wire name, or null when the name is not of this channel. */
export function channelId(stated: Channel, name: string): string | null {
  if (kindOfChannel(name) !== stated.kind) return null;
  const [before = '', after = ''] = `${prefixOf(stated)}${stated.pattern}`.split(`{${stated.param}}`);
  if (!name.startsWith(before) || !name.endsWith(after)) return null;
  const id = name.slice(before.length, name.length - after.length);
  return id.length > 0 ? id : null;
}

/** What a name on the wire says of its channel's kind. */
export function kindOfChannel(name: string): ChannelKind {
  // The longer prefix first: an encrypted channel is a private one to those who look at the beginning only.
  const kinds = ['private-encrypted', 'private', 'presence'] as const;
  return kinds.find((kind) => name.startsWith(`${kind}-`)) ?? 'public';
}

/** Whether members may send client events: neither anonymous readers may, nor those of an encrypted channel. */
export function carriesClientEvents(kind: ChannelKind): boolean {
  return kind === 'private' || kind === 'presence';
}

function prefixOf({ kind }: Channel): string {
  return kind === 'public' ? '' : `${kind}-`;
}

/** The namespace that Laravel Echo puts before event names. */
export const EVENT_NAMESPACE = 'App\\Events\\';
