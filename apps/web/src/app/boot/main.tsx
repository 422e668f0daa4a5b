import '@fontsource-variable/inter/wght.css';
import '@wardline/ui/tokens.css';
import '@wardline/ui/kit.css';
import '#/css/pages.css';
import { createLog } from '@wardline/client/log.ts';
import { createOverlayHistory } from '@wardline/client/overlays/overlay-history.ts';
import { catchInstallEvent } from '@wardline/client/pwa/early-install-event.ts';
import { createRoot, hydrateRoot, type RootOptions } from 'react-dom/client';
import { type AppRouter, createAppRouter } from '#/app/router/router.ts';
import { createServices } from '#/app/services/services.ts';
import { clearDrafts } from '#/features/chat/index.ts';
import { App } from './app.tsx';
import { fetchConfig } from './fetch-config.ts';
import { followNotifications } from './follow-notifications.ts';
import { forgetDraftsAtSignOut } from './forget-drafts.ts';
import { reloadOnLostChunk } from './lost-chunk.ts';
import { renderedPath, trimmed } from './prerendered-path.ts';
import { forgetSessionHint, hasSessionHint } from './session-hint.ts';
import { showStartFailure } from './show-start-failure.tsx';
import { followColourMode } from './theme-colour.ts';

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
  const config = await fetchConfig();
  const services = await createServices(config, log);
  forgetDraftsAtSignOut(services.session, clearDrafts);
  const loading = services.session.load();
  const path = renderedPath(container, location.pathname);
  if (path === null || hasSessionHint()) await loading;
  const router = createAppRouter(services, { isTakenOver: path !== null });
  reloadOnLostChunk(router);
  const app = <App services={services} router={router} earlyInstall={earlyInstall} overlayHistory={overlayHistory} />;
  if (path !== null && (await endsAt(router, path))) hydrateRoot(container, app, options);
  else createRoot(container, options).render(app);
  forgetSessionHint();
  followNotifications(navigator.serviceWorker, (href) => void router.navigate({ href }));
}

/** Loads what the address needs, guards first; they may lead away from what was rendered. */
async function endsAt(router: AppRouter, path: string): Promise<boolean> {
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
