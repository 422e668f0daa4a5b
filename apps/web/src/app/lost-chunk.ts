import { createReloadGuard, type ReloadGuard } from '@wardline/client/pwa/reload-guard.ts';
import type { AppRouter } from './router.ts';

/**
 * PWA-6: a chunk that a navigation needs is gone, most often because another build was deployed: its target is loaded in
 * full, at most once in 10 s, and then the error page says what is missing. A chunk of one part of a page reloads nothing.
 */
export function reloadOnLostChunk(
  router: Pick<AppRouter, 'state' | 'latestLocation'>,
  { guard = createReloadGuard(), events = window }: { guard?: ReloadGuard; events?: EventTarget } = {},
): void {
  events.addEventListener('vite:preloadError', (event) => {
    const { payload } = event as Event & { payload?: unknown };
    // A page can do without a style sheet better than without being there.
    if (payload instanceof Error && payload.message.startsWith('Unable to preload CSS')) event.preventDefault();
    else if (router.state.status === 'pending') guard.reload(router.latestLocation.href);
  });
}
