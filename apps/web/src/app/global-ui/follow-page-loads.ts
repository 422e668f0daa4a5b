import type { LoadingBar } from '@wardline/client/browser/loading-bar.ts';
import type { AppRouter } from '#/app/router/router.tsx';

/** Runs the bar from before the guards of a navigation until its page stands, in the error colour where it failed. */
export function followPageLoads(
  router: Pick<AppRouter, 'subscribe' | 'state'>,
  bar: Pick<LoadingBar, 'start' | 'finish'>,
  events: EventTarget = window,
): () => void {
  let hasLostChunk = false;
  // The router calls a page whose code is missing loaded. What reloadOnLostChunk has prevented can be done without.
  const noteLostChunk = (event: Event) => {
    if (router.state.status === 'pending' && !event.defaultPrevented) hasLostChunk = true;
  };
  events.addEventListener('vite:preloadError', noteLostChunk);
  const stops = [
    router.subscribe('onBeforeNavigate', ({ hrefChanged }) => {
      hasLostChunk = false;
      if (hrefChanged) bar.start();
    }),
    router.subscribe('onResolved', () => {
      bar.finish({ hasError: hasLostChunk || router.state.matches.some(({ status }) => status === 'error') });
    }),
    () => events.removeEventListener('vite:preloadError', noteLostChunk),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
