/** What may be told on a lock screen: that there is something, not what. The rest is fetched after unlocking. */
export interface PushedNotification {
  readonly title: string;
  readonly options: {
    readonly body: string;
    readonly icon: string;
    /** A later push about the same thing takes the place of the one before. */
    readonly tag: string;
    readonly data: { readonly path: string };
    readonly silent: boolean;
    /** Sounds again although it takes the place of another. */
    readonly renotify: boolean;
    /** Stays until somebody presses it. */
    readonly requireInteraction: boolean;
  };
}

interface Kind {
  readonly body: string;
  readonly path: string;
  readonly isMessage?: true;
  readonly isAloud?: true;
  readonly stays?: true;
}

const kinds: Readonly<Record<string, Kind>> = {
  message: { body: 'New message', path: '/chats', isMessage: true },
  message_aloud: { body: 'New message', path: '/chats', isMessage: true, isAloud: true },
  urgent: { body: 'Urgent message', path: '/chats', isMessage: true, isAloud: true, stays: true },
  test: { body: 'This device can be called.', path: '/settings#notifications', isAloud: true },
  census: { body: 'You have a new notification', path: '/census' },
};
const other: Kind = { body: 'You have a new notification', path: '/dashboard' };
const word = /^[\w-]{1,64}$/;

/**
 * A push carries a type and an opaque id and nothing else; whatever else comes is not shown. Where a page is seen, it makes the
 * sounds itself.
 */
export function pushedNotification(payload: unknown, { isPageSeen = false } = {}): PushedNotification {
  const { type, id } = typeIdOf(payload);
  const kind = Object.hasOwn(kinds, type) ? (kinds[type] ?? other) : other;
  const isAloud = kind.isAloud === true && !(isPageSeen && kind.isMessage);
  // All messages of a chat are one notification, however each is told.
  const about = kind.isMessage ? 'message' : type;
  return {
    title: 'Wardline',
    options: {
      body: kind.body,
      icon: '/icons/icon-192.png',
      tag: id === '' ? about : `${about}:${id}`,
      data: { path: kind.isMessage && id !== '' ? `${kind.path}?notification=${id}` : kind.path },
      silent: !isAloud,
      // A browser refuses it to what has no tag.
      renotify: isAloud && about !== '',
      requireInteraction: kind.stays === true,
    },
  };
}

/** The id of a notification that calls somebody for something urgent; null of any other. */
export function calledFor(payload: unknown): string | null {
  const { type, id } = typeIdOf(payload);
  return type === 'urgent' && id !== '' ? id : null;
}

function typeIdOf(payload: unknown): { type: string; id: string } {
  const details = typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : {};
  const read = (name: string) => (typeof details[name] === 'string' && word.test(details[name]) ? details[name] : '');
  return { type: read('type'), id: read('id') };
}
