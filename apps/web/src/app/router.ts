import { createRouter } from '@tanstack/react-router';
import { routeTree } from '#/routeTree.gen.ts';
import { authFacts } from './auth-facts.ts';
import { followFocus } from './follow-focus.ts';
import { PageLoading } from './page-loading.tsx';
import type { Services } from './services.ts';

const pendingAfterMs = 400;

/** The router over the file routes. A session that begins or ends runs the guards again. */
export function createAppRouter({ session, config }: Pick<Services, 'session' | 'config'>) {
  const auth = authFacts(session);
  const router = createRouter({
    routeTree,
    context: { auth, redirects: config.redirect },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: pendingAfterMs,
    defaultPendingComponent: PageLoading,
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
