import type { Log } from '#/log.ts';
import { createSource } from '#/observable.ts';
import type { Session } from './session.ts';
import type { SessionState } from './session-state.ts';

interface LazySessionDeps {
  /** Loads the code of the session and makes it. */
  readonly create: () => Promise<Session>;
  /** Whether somebody may be signed in (session-hint.ts). */
  readonly hasHint: () => boolean;
  readonly log: Log;
}

/**
 * A session whose code is no part of a guest's first page. Where somebody may be signed in, `load` waits for it; otherwise
 * nobody is, at once, and the code comes behind the page, so that it is there before anybody has typed a password.
 */
export function createLazySession({ create, hasHint, log }: LazySessionDeps): Session {
  const shown = createSource<SessionState>({ status: 'unknown' });
  let session: Session | null = null;
  let creating: Promise<Session> | null = null;

  const follow = (created: Session): Session => {
    session = created;
    const show = (): void => {
      const state = created.get();
      if (state.status !== 'unknown') shown.set(state);
    };
    created.subscribe(show);
    show();
    return created;
  };
  const open = (): Promise<Session> => {
    creating ??= create().then(follow, (error: unknown) => {
      creating = null;
      log.error('The code of the session could not be loaded', error);
      throw error;
    });
    return creating;
  };
  const loadCreated = (): Promise<void> =>
    open().then(
      (created) => created.load(),
      () => {
        if (shown.get().status === 'unknown') shown.set({ status: 'signed-out', reason: 'unreachable' });
      },
    );
  let loading: Promise<void> | null = null;
  return {
    get: shown.get,
    subscribe: shown.subscribe,
    store: () => session?.store() ?? null,
    load() {
      if (loading !== null) return loading;
      const isHinted = hasHint();
      if (!isHinted) shown.set({ status: 'signed-out', reason: 'initial' });
      // The session looks for a hint itself: another tab may have signed in meanwhile.
      const loaded = loadCreated();
      loading = isHinted ? loaded : Promise.resolve();
      return loading;
    },
    signIn: async (...input) => (await open()).signIn(...input),
    signOut: async (...input) => (await open()).signOut(...input),
    refresh: async () => (await open()).refresh(),
  };
}
