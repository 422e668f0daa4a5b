/** Who may join: anyone, the authorised, the authorised with a list of members, one signed-in user. */
export type ChannelKind = 'public' | 'private' | 'presence' | 'private-encrypted' | 'server-to-user';

/** A channel name that passed the grammar, with what the name says about the channel. */
export type ChannelName = {
  readonly name: string;
  readonly kind: ChannelKind;
  /** The channel remembers its last event and hands it to a new subscriber. */
  readonly cache: boolean;
  /** The user of a `#server-to-user-` channel, otherwise null. */
  readonly userId: string | null;
};

/** The longest channel name, in characters. */
export const maxChannelNameLength = 200;

const grammar = /^[A-Za-z0-9_\-=@,.;]+$/;
const userPrefix = '#server-to-user-';

/** Reads a channel name. Takes anything; returns null for what is not a channel name. Never throws. */
export function parseChannelName(name: unknown): ChannelName | null {
  if (typeof name !== 'string' || name.length > maxChannelNameLength) return null;
  if (name.startsWith(userPrefix)) {
    const userId = name.slice(userPrefix.length);
    return grammar.test(userId) ? { name, kind: 'server-to-user', cache: false, userId } : null;
  }
  if (!grammar.test(name)) return null;
  const [kind, prefix] = kindOf(name);
  return { name, kind, cache: name.startsWith('cache-', prefix.length), userId: null };
}

/** The name of the channel that carries the events for one signed-in user. */
export function serverToUserChannel(userId: string): string {
  return userPrefix + userId;
}

/** Whether joining needs an auth string from the application: private, encrypted and presence channels. */
export function needsAuth(kind: ChannelKind): boolean {
  return kind === 'private' || kind === 'presence' || kind === 'private-encrypted';
}

/** Whether members may send `client-` events: private and presence channels, not encrypted ones. */
export function allowsClientEvents(kind: ChannelKind): boolean {
  return kind === 'private' || kind === 'presence';
}

// 'private-encrypted-' must be tried before 'private-', of which it is a special case.
function kindOf(name: string): [ChannelKind, string] {
  if (name.startsWith('private-encrypted-')) return ['private-encrypted', 'private-encrypted-'];
  if (name.startsWith('private-')) return ['private', 'private-'];
  if (name.startsWith('presence-')) return ['presence', 'presence-'];
  return ['public', ''];
}
