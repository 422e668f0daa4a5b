import { createLoadingBar } from '@wardline/client/browser/loading-bar.ts';
import { pageState } from '@wardline/client/browser/page-state.ts';
import type { Log } from '@wardline/client/log.ts';
import { createBuildWatch } from '@wardline/client/pwa/build-watch.ts';
import type { EarlyInstallEvent } from '@wardline/client/pwa/early-install-event.ts';
import { createInstallPrompt, type InstallPrompt } from '@wardline/client/pwa/install-prompt.ts';
import { createReloadGuard, type ReloadGuard } from '@wardline/client/pwa/reload-guard.ts';
import { registerServiceWorker, thisPage, type UpdateWatch } from '@wardline/client/pwa/service-worker.ts';
import { useObservable } from '@wardline/client/use-observable.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { LoadingBar } from '@wardline/ui/progress/loading-bar.tsx';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { AppRouter } from '#/app/router/router.tsx';
import type { Services } from '#/app/services/services.ts';
import { pageInstall } from '#/shared/contexts/page-install.ts';
import { pageToasts } from '#/shared/contexts/show-toast.ts';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { buildId } from '#/shared/navigation/build-id.ts';
import { followFocus } from './follow-focus.ts';
import { followPageLoads } from './follow-page-loads.ts';
import { UpdateBanner } from './update-banner.tsx';

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
  useEffect(() => followFocus(router), [router]);
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
    <UpdateStrip>
      <UpdateBanner updates={updates} />
      <UpdatePrompt updates={updates} />
    </UpdateStrip>
  );
}

/** Over every page and in the way of nothing: the page begins under it, for which the styles are told how high it is. */
function UpdateStrip({ children }: { children: ReactNode }) {
  const strip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const measure = () => style.setProperty('--update', `${strip.current?.offsetHeight ?? 0}px`);
    const observer = new ResizeObserver(measure);
    if (strip.current) observer.observe(strip.current);
    measure();
    return () => {
      observer.disconnect();
      style.removeProperty('--update');
    };
  }, []);
  return (
    <div className="updates" ref={strip}>
      {children}
    </div>
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

interface BuildFollowing {
  readonly router: Pick<AppRouter, 'subscribe'>;
  readonly guard: ReloadGuard;
  readonly log: Log;
  readonly intervalMs: number;
  /** Asks the service worker whether it has what the server has. */
  readonly onNewBuild: () => void;
}

/** PWA-7: once the server has a newer build, the next page is loaded in full. Answers the end of it. */
function followBuilds({ router, guard, log, intervalMs, onNewBuild }: BuildFollowing): () => void {
  const builds = createBuildWatch({
    build: { id: buildId() },
    intervalMs,
    focus: pageState().focus,
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

/** PWA-3: offers to install the app, or on iOS says how. Cancel is remembered in this browser. */
export function InstallCard({ install }: { install: InstallPrompt }) {
  const { isOffered, steps } = useObservable(install);
  if (!isOffered) return null;
  return (
    <section className="offer float" aria-label="Install App">
      <h2>Install App</h2>
      {steps.length > 0 ? (
        <ol>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      ) : (
        <p>Opens from your home screen in its own window.</p>
      )}
      <div className="offer-acts">
        <Button variant="ghost" color="neutral" onClick={() => install.cancel()}>
          Cancel
        </Button>
        {steps.length === 0 && <Button onClick={() => void install.install()}>Install</Button>}
      </div>
    </section>
  );
}

/** PWA-2: asks for the update. Cancel hides it for this page's life, and leaves the choice about installing alone. */
export function UpdatePrompt({ updates }: { updates: UpdateWatch }) {
  const { isPrompting } = useObservable(updates);
  if (!isPrompting) return null;
  return (
    <section className="update-prompt" aria-label="Update">
      <p>New contend found, need refresh page</p>
      <div className="offer-acts">
        <Button variant="ghost" color="neutral" onClick={() => updates.cancelPrompt()}>
          Cancel
        </Button>
        <Button onClick={() => updates.apply()}>Refresh</Button>
      </div>
    </section>
  );
}
