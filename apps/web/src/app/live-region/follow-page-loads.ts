import type { LoadingBar } from '@wardline/client/progress/loading-bar.ts';
import type { AppRouter } from '#/app/router.ts';

/** Runs the bar from before the guards of a navigation until its page stands, in the error colour where it failed. */
export function followPageLoads(router: Pick<AppRouter, 'subscribe' | 'state'>, bar: LoadingBar): () => void {
  const stops = [
    router.subscribe('onBeforeNavigate', ({ hrefChanged }) => {
      if (hrefChanged) bar.start();
    }),
    router.subscribe('onResolved', () => {
      bar.finish({ hasError: router.state.matches.some(({ status }) => status === 'error') });
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
