import '@fontsource-variable/inter/wght.css';
import '@wardline/ui/tokens.css';
import '@wardline/ui/kit.css';
import '#/css/pages.css';
import { fetchJson } from '@wardline/client/http/fetch-json.ts';
import { createLog } from '@wardline/client/log.ts';
import { createOverlayHistory } from '@wardline/client/overlays/overlay-history.ts';
import { catchInstallEvent } from '@wardline/client/pwa/early-install-event.ts';
import { ClientConfig } from '@wardline/contract/config.ts';
import { colourMode } from '@wardline/ui/colour-mode/colour-mode.ts';
import { createRoot, hydrateRoot, type RootOptions } from 'react-dom/client';
import * as z from 'zod/mini';
import { forgetLock } from '#/app/lock/lock-mark.ts';
import { type AppRouter, createAppRouter } from '#/app/router/router.tsx';
import { createServices, loadSession } from '#/app/services/services.ts';
import { clearDrafts } from '#/features/chat/index.ts';
import { setAppBadge } from '#/shared/navigation/page-title.ts';
import { App } from './app.tsx';
import { forgetDraftsAtSignOut } from './forget-drafts.ts';
import { reloadOnLostChunk } from './lost-chunk.ts';
import { renderedPath, trimmed } from './prerendered-path.ts';
import { showStartFailure } from './show-start-failure.tsx';

const pageColours = { light: '#f8fafc', dark: '#020618' } as const;

/** Starts following the system and the other tabs, and keeps the browser's own bar in the colour of the page. */
function followColourMode(): void {
  const controller = colourMode();
  const paint = () => {
    const { preference, mode } = controller.get();
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      const ofSystem = meta.media.includes('dark') ? pageColours.dark : pageColours.light;
      meta.content = preference === 'system' ? ofSystem : pageColours[mode];
    }
  };
  controller.subscribe(paint);
  paint();
}

const attribute = 'data-owner';

/**
 * Whether somebody may be signed in on this device: public/mode.js has looked before the first paint, and what is only
 * for guests stays unseen until `forgetSessionHint`.
 */
function hasSessionHint(): boolean {
  return document.documentElement.hasAttribute(attribute);
}

/** It is known who is here: what was held back may be seen. */
function forgetSessionHint(): void {
  document.documentElement.removeAttribute(attribute);
}

const timeoutMs = 10_000;

/**
 * Reads and checks /config.json; offline the service worker answers with the one kept. Rejects with a ConfigProblem where
 * a value is wrong; the words for that are loaded only then.
 */
async function fetchConfig(): Promise<ClientConfig> {
  const given = await fetchJson('/config.json', { cache: 'no-cache', timeoutMs });
  const parsed = z.safeParse(ClientConfig, given);
  if (parsed.success) return parsed.data;
  const { checkConfig } = await import('@wardline/client/check-config.ts');
  return checkConfig(given);
}

// Before anything else: the browser makes its offer once, and the router must find the history as the overlays see it.
const earlyInstall = catchInstallEvent();
const overlayHistory = createOverlayHistory();
const log = createLog();
const root = document.getElementById('root');

const options: RootOptions = {
  onUncaughtError: (error) => log.error('A component failed and nothing caught it', error),
  onCaughtError: (error) => log.error('A component failed', error),
};

// The only place where things are put together. Where a page may be guarded, nothing is drawn before it is known who is
// signed in, so that nothing flashes; a page that was rendered ahead is taken over at once where nobody seems to be.
async function mount(container: HTMLElement): Promise<void> {
  followColourMode();
  // Beside the configuration, so that nobody waits for one after the other.
  if (hasSessionHint()) void loadSession().catch(() => undefined);
  const config = await fetchConfig();
  const services = await createServices(config, log);
  forgetDraftsAtSignOut(services.session, clearDrafts);
  // The badge on the icon outlives its page: a session may have ended while there was none.
  services.session.subscribe(() => {
    if (services.session.get().status !== 'signed-out') return;
    setAppBadge(0);
    forgetLock();
  });
  const loading = services.session.load();
  const path = renderedPath(container, location.pathname);
  if (path === null || hasSessionHint()) await loading;
  const router = createAppRouter(services, { isTakenOver: path !== null });
  reloadOnLostChunk(router);
  const app = <App services={services} router={router} earlyInstall={earlyInstall} overlayHistory={overlayHistory} />;
  // Until the page's own code has come, what the build drew stays: nobody looks at a blank page (F-U8).
  if (await endsAt(router, path)) hydrateRoot(container, app, options);
  else createRoot(container, options).render(app);
  forgetSessionHint();
  import('./follow-notifications.ts').then(
    ({ followNotifications }) => followNotifications(navigator.serviceWorker, (href) => void router.navigate({ href })),
    (error) => log.warn('Pressed notifications lead nowhere', error),
  );
}

/** Loads what the address needs, guards first; they may lead away from what was rendered, where anything was. */
async function endsAt(router: AppRouter, path: string | null): Promise<boolean> {
  await router.load();
  const { location: end, matches } = router.state;
  return trimmed(end.pathname) === path && matches.every(({ status }) => status === 'success');
}

if (root) {
  mount(root).catch((error) => {
    log.error('Error while mounting app:', error);
    forgetSessionHint();
    showStartFailure(root, error);
  });
}
