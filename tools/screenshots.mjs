/** `node tools/screenshots.mjs`: the two pictures that a browser shows before it installs the app, into apps/web/public. */
import { ensureBuilt } from './lib/build.mjs';
import { findOrInstallChromium } from './lib/chromium.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot } from './lib/paths.mjs';
import { runLocal } from './lib/run.mjs';
import { fail } from './lib/say.mjs';

await ensureInstalled();
const chromium = await findOrInstallChromium();
if (chromium.problem) fail(chromium.problem);
await ensureBuilt();
const { code } = await runLocal('playwright', ['test', '--config', 'install-screens.config.ts'], {
  cwd: inRoot('e2e'),
  env: { CHROMIUM_PATH: chromium.path },
  echo: 'out',
});
process.exitCode = code;
