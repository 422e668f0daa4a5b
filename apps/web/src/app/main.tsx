import '@fontsource-variable/inter/wght.css';
import '@wardline/ui/tokens.css';
import '@wardline/ui/kit.css';
import '#/css/pages.css';
import { createLog } from '@wardline/client/log.ts';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { fetchConfig } from './fetch-config.ts';
import { createAppRouter } from './router.ts';
import { createServices } from './services.ts';
import { showMountFailure } from './show-mount-failure.ts';
import { followColourMode } from './theme-colour.ts';

const log = createLog();
const root = document.getElementById('root');

// The only place where things are put together. Nothing is drawn before it is known who is signed in, so that no
// guarded page flashes.
async function mount(container: HTMLElement): Promise<void> {
  followColourMode();
  const config = await fetchConfig();
  const services = createServices(config, log);
  await services.session.load();
  const router = createAppRouter(services);
  createRoot(container, {
    onUncaughtError: (error) => log.error('A component failed and nothing caught it', error),
    onCaughtError: (error) => log.error('A component failed', error),
  }).render(<App services={services} router={router} />);
}

if (root) {
  mount(root).catch((error) => {
    log.error('Error while mounting app:', error);
    showMountFailure(root);
  });
}
