import { createReloadGuard, type ReloadGuard } from '@wardline/client/pwa/reload-guard.ts';
import type { AppRouter } from '#/app/router/router.tsx';

interface LostChunkPlace {
  readonly guard?: ReloadGuard;
  readonly events?: EventTarget;
  /** Of this tab; may throw, a browser can close its storage. */
  readonly storage?: () => Pick<Storage, 'setItem'>;
}

/** Where the router notes that it has loaded a page anew for a chunk; it does so by itself, and knows of no 10 s. */
const ROUTERS_NOTE = 'tanstack_router_reload:';

/**
 * PWA-6: a chunk that a navigation needs is gone, most often because another build was deployed: its target is loaded in
 * full, at most once in 10 s, and then the error page says what is missing. A chunk of one part of a page reloads nothing.
 */
export function reloadOnLostChunk(
  router: Pick<AppRouter, 'state' | 'latestLocation'>,
  { guard = createReloadGuard(), events = window, storage = () => window.sessionStorage }: LostChunkPlace = {},
): void {
  events.addEventListener('vite:preloadError', (event) => {
    const { payload } = event as Event & { payload?: unknown };
    const message = payload instanceof Error ? payload.message : '';
    // A page can do without a style sheet better than without being there.
    if (message.startsWith('Unable to preload CSS')) {
      event.preventDefault();
      return;
    }
    keepRouterFromReloading(storage, message);
    if (router.state.status === 'pending') guard.reload(router.latestLocation.href);
  });
}

function keepRouterFromReloading(storage: () => Pick<Storage, 'setItem'>, message: string): void {
  try {
    storage().setItem(ROUTERS_NOTE + message, '1');
  } catch {
    // Without storage the router does not reload either.
  }
}
