import { createLoadingBar } from '@wardline/client/browser/loading-bar.ts';
import type { EarlyInstallEvent } from '@wardline/client/pwa/early-install-event.ts';
import { createInstallPrompt, type InstallPrompt } from '@wardline/client/pwa/install-prompt.ts';
import { createReloadGuard } from '@wardline/client/pwa/reload-guard.ts';
import { registerServiceWorker, thisPage, type UpdateWatch } from '@wardline/client/pwa/service-worker.ts';
import { useObservable } from '@wardline/client/use-observable.ts';
import { LoadingBar } from '@wardline/ui/progress/loading-bar.tsx';
import { useEffect, useState } from 'react';
import type { AppRouter } from '#/app/router/router.ts';
import type { Services } from '#/app/services/services.ts';
import { pageInstall } from '#/shared/contexts/page-install.ts';
import { pageToasts } from '#/shared/contexts/show-toast.ts';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { followBuilds } from './follow-builds.ts';
import { followPageLoads } from './follow-page-loads.ts';
import { InstallCard } from './install-card.tsx';
import { UpdateBanner } from './update-banner.tsx';
import { UpdatePrompt } from './update-prompt.tsx';

const ToastPlace = lazyPart(async () => (await import('./toast-host.tsx')).ToastPlace);

interface LiveRegionProps {
  readonly router: AppRouter;
  readonly services: Pick<Services, 'config' | 'log'>;
  readonly earlyInstall: EarlyInstallEvent;
}

/** SHELL-3: what lies over every page. The loading bar, the toasts and the three notices; loaded once the page stands. */
export function LiveRegion({ router, services, earlyInstall }: LiveRegionProps) {
  const updates = useUpdates();
  const install = useInstall(earlyInstall);
  useBuilds({ router, services, updates });
  const toasts = useObservable(pageToasts);
  return (
    <>
      <PageLoadBar router={router} />
      {updates ? <UpdateOrInstall updates={updates} install={install} /> : <InstallCard install={install} />}
      {toasts && <ToastPlace toasts={toasts} />}
    </>
  );
}

/** The installation is not offered while an update waits. */
function UpdateOrInstall({ updates, install }: { updates: UpdateWatch; install: InstallPrompt }) {
  if (!useObservable(updates).needRefresh) return <InstallCard install={install} />;
  return (
    <>
      <UpdateBanner updates={updates} />
      <UpdatePrompt updates={updates} />
    </>
  );
}

function PageLoadBar({ router }: { router: AppRouter }) {
  const [bar] = useState(() => createLoadingBar());
  useEffect(() => followPageLoads(router, bar), [router, bar]);
  return <LoadingBar {...useObservable(bar)} label="Loading the page" />;
}

/** The service worker is registered once the page stands, so that what it fetches does not hold the page up. */
function useUpdates(): UpdateWatch | null {
  const [updates] = useState(() => {
    const place = import.meta.env.PROD ? thisPage() : null;
    return place && registerServiceWorker(place);
  });
  return updates;
}

function useInstall(early: EarlyInstallEvent): InstallPrompt {
  const [install] = useState(() =>
    createInstallPrompt({
      events: window,
      storage: () => window.localStorage,
      matchMedia: (query) => window.matchMedia(query),
      navigator: window.navigator,
      early,
    }),
  );
  useEffect(() => pageInstall.set(install), [install]);
  return install;
}

type Following = Pick<LiveRegionProps, 'router' | 'services'> & { readonly updates: UpdateWatch | null };

function useBuilds({ router, services, updates }: Following): void {
  const { config, log } = services;
  useEffect(
    () =>
      followBuilds({
        router,
        guard: createReloadGuard(),
        log,
        intervalMs: config.build_check_interval_s * 1000,
        onNewBuild: () => void updates?.checkNow(),
      }),
    [router, config, log, updates],
  );
}
