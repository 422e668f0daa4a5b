/** What may be told on a lock screen: that there is something, not what. The rest is fetched after unlocking. */
export interface PushedNotification {
  readonly title: string;
  readonly options: {
    readonly body: string;
    readonly icon: string;
    /** A later push about the same thing takes the place of the one before. */
    readonly tag: string;
    readonly data: { readonly path: string };
  };
}

const paths: Readonly<Record<string, string>> = { message: '/chats', census: '/census' };
const word = /^[\w-]{1,64}$/;

/** A push carries a type and an opaque id and nothing else; whatever else comes is not shown. */
export function pushedNotification(payload: unknown): PushedNotification {
  const { type, id } = typeIdOf(payload);
  return {
    title: 'Wardline',
    options: {
      body: 'You have a new notification',
      icon: '/icons/icon-192.png',
      tag: id === '' ? type : `${type}:${id}`,
      data: { path: Object.hasOwn(paths, type) ? (paths[type] ?? '/dashboard') : '/dashboard' },
    },
  };
}

function typeIdOf(payload: unknown): { type: string; id: string } {
  const details = typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : {};
  const read = (name: string) => (typeof details[name] === 'string' && word.test(details[name]) ? details[name] : '');
  return { type: read('type'), id: read('id') };
}
