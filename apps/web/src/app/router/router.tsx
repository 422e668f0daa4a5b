import { createRouter, type RouterHistory } from '@tanstack/react-router';
import type { Emitter } from '@wardline/client/emitter.ts';
import type { ClientEvents } from '@wardline/client/http/call-events.ts';
import type { Session, SessionState } from '@wardline/client/session/session.ts';
import type { ClientConfig } from '@wardline/contract/config.ts';
import { SkeletonRows } from '@wardline/ui/skeleton/skeleton-rows.tsx';
import { routeTree } from '#/routeTree.gen.ts';
import type { AuthState } from './router-context.ts';
import { shouldStay } from './should-stay.ts';

const pendingAfterMs = 400;

interface RouterServices {
  readonly session: Pick<Session, 'get' | 'subscribe'>;
  readonly config: Pick<ClientConfig, 'redirect'>;
  readonly events?: Emitter<ClientEvents>;
}

interface RouterPlace {
  readonly history?: RouterHistory;
  /** Rendering ahead, without a window: the origin to assume. */
  readonly origin?: string;
  /** The first page stands already and may have been scrolled: it is left where it is. */
  readonly isTakenOver?: boolean;
}

/** The router over the file routes. A session that is found or ends and rights that change run the guards again. */
export function createAppRouter({ session, config, events }: RouterServices, place: RouterPlace = {}) {
  const { history, origin, isTakenOver = false } = place;
  const auth = authState(session);
  const router = createRouter({
    routeTree,
    ...(history ? { history } : {}),
    context: {
      auth,
      redirects: config.redirect,
      onRedirect: (url) => events?.emit('sanctum:redirect', { url }),
    },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: pendingAfterMs,
    defaultPendingComponent: PageLoading,
    caseSensitive: true,
    notFoundMode: 'root',
    scrollRestoration: origin === undefined && afterFirst(isTakenOver),
    trailingSlash: 'never',
    // What is rendered ahead is the browser's own tree, so that the browser finds in it what it expects.
    ...(origin === undefined ? {} : { isServer: false, origin }),
  });
  followSession({ session, config }, () => void router.invalidate());
  return router;
}

function followSession({ session, config }: RouterServices, askAgain: () => void): void {
  let { status } = session.get();
  let rights = rightsOf(session.get());
  session.subscribe(() => {
    const [statusBefore, rightsBefore] = [status, rights];
    status = session.get().status;
    rights = rightsOf(session.get());
    if (shouldStay(session.get(), config.redirect)) return;
    // A session that begins is followed by the sign-in page itself, which knows where one wanted to go. One that is
    // found after a page for guests was taken over has nobody else who follows it.
    const isFound = statusBefore === 'unknown' && rights !== null;
    if (isFound || (rightsBefore !== null && rightsBefore !== rights)) askAgain();
  });
}

/** Answers at each page whether its scroll position is the router's to set; at the first one only if it has just drawn it. */
function afterFirst(isTakenOver: boolean): () => boolean {
  let isOurs = !isTakenOver;
  return () => {
    const answer = isOurs;
    isOurs = true;
    // The router gives back only what it has seen being scrolled.
    if (!answer) document.dispatchEvent(new Event('scroll'));
    return answer;
  };
}

/** What the guards ask about, as one text; null while nobody is signed in. */
function rightsOf(state: SessionState): string | null {
  if (state.status !== 'signed-in') return null;
  return JSON.stringify(state.user.memberships.map(({ facility_id, permissions }) => [facility_id, permissions]));
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}

/** What the guards ask of a session. */
function authState(session: Pick<Session, 'get'>): AuthState {
  return {
    isSignedIn: () => session.get().status === 'signed-in',
    hasEnded() {
      const state = session.get();
      return state.status === 'signed-out' && state.reason === 'expired';
    },
    may(permission) {
      const state = session.get();
      if (state.status !== 'signed-in') return false;
      const { memberships, closed_facilities } = state.user;
      // Where all were closed, the layout says so in the place of the page, which is there again with its facility.
      if (memberships.length === 0 && closed_facilities?.[0]) return true;
      return memberships.some(({ permissions }) => permissions.includes(permission));
    },
    isOperator() {
      const state = session.get();
      return state.status === 'signed-in' && state.user.is_operator;
    },
  };
}

/** The shape of a page whose code is still on its way. */
function PageLoading() {
  return <SkeletonRows count={6} label="Loading the page" />;
}
