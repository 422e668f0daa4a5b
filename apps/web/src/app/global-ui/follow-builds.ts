import { pageFacts } from '@wardline/client/browser/page-state.ts';
import type { Log } from '@wardline/client/log.ts';
import { createBuildWatch } from '@wardline/client/pwa/build-watch.ts';
import type { ReloadGuard } from '@wardline/client/pwa/reload-guard.ts';
import type { AppRouter } from '#/app/router/router.ts';
import { buildId } from '#/shared/navigation/build-id.ts';

interface BuildFollowing {
  readonly router: Pick<AppRouter, 'subscribe'>;
  readonly guard: ReloadGuard;
  readonly log: Log;
  readonly intervalMs: number;
  /** Asks the service worker whether it has what the server has. */
  readonly onNewBuild: () => void;
}

/** PWA-7: once the server has a newer build, the next page is loaded in full. Answers the end of it. */
export function followBuilds({ router, guard, log, intervalMs, onNewBuild }: BuildFollowing): () => void {
  const builds = createBuildWatch({
    build: { id: buildId() },
    intervalMs,
    focus: pageFacts().focus,
    log,
    onNewBuild,
  });
  const stop = router.subscribe('onBeforeNavigate', ({ toLocation, pathChanged }) => {
    if (pathChanged && builds.isOutdated()) guard.reload(toLocation.href);
  });
  return () => {
    stop();
    builds.stop();
  };
}
