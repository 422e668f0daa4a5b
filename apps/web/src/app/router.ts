import { createRouter, type RouterHistory } from '@tanstack/react-router';
import type { Session } from '@wardline/client/session/session.ts';
import type { ClientConfig } from '@wardline/contract/config.ts';
import { routeTree } from '#/routeTree.gen.ts';
import { authFacts } from './auth-facts.ts';
import { followFocus } from './follow-focus.ts';
import { PageLoading } from './page-loading.tsx';

const pendingAfterMs = 400;

interface RouterServices {
  readonly session: Pick<Session, 'get' | 'subscribe'>;
  readonly config: Pick<ClientConfig, 'redirect'>;
}

/** The router over the file routes. A session that begins or ends runs the guards again. */
export function createAppRouter({ session, config }: RouterServices, history?: RouterHistory) {
  const auth = authFacts(session);
  const router = createRouter({
    routeTree,
    ...(history ? { history } : {}),
    context: { auth, redirects: config.redirect },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: pendingAfterMs,
    defaultPendingComponent: PageLoading,
    caseSensitive: true,
    notFoundMode: 'root',
    scrollRestoration: true,
    trailingSlash: 'never',
  });
  let wasSignedIn = auth.isSignedIn();
  session.subscribe(() => {
    const isSignedIn = auth.isSignedIn();
    if (wasSignedIn && !isSignedIn) void router.invalidate();
    wasSignedIn = isSignedIn;
  });
  followFocus(router);
  return router;
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
