import type * as z from 'zod/mini';

/** A realtime channel as a value: how its name is made, how a name is read, and what is said on it. */
export interface Channel<
  Param extends string = string,
  Events extends Record<string, z.ZodMiniType> = Record<string, z.ZodMiniType>,
> {
  readonly kind: 'private' | 'presence';
  /** Name without the kind's prefix; `{param}` marks the one id in it. */
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

/** The name on the wire, e.g. `presence-chat.0197…`. */
export function channelName(stated: Channel, id: string): string {
  return `${stated.kind}-${shortChannelName(stated, id)}`;
}

/** The name as Laravel Echo takes it, without the kind's prefix. */
export function shortChannelName(stated: Channel, id: string): string {
  return stated.pattern.replace(`{${stated.param}}`, id);
}

/** The id in a wire name, or null when the name is not of this channel. */
export function channelId(stated: Channel, name: string): string | null {
  const [before = '', after = ''] = `${stated.kind}-${stated.pattern}`.split(`{${stated.param}}`);
  if (!name.startsWith(before) || !name.endsWith(after)) return null;
  const id = name.slice(before.length, name.length - after.length);
  return id.length > 0 ? id : null;
}

/** The namespace that Laravel Echo puts before event names. */
export const EVENT_NAMESPACE = 'App\\Events\\';
