/** npm run screens: pictures of every route as three kinds of user, light and dark, desktop and phone, in screens/. */
import { ensureBuilt } from './lib/build.mjs';
import { findOrInstallChromium } from './lib/chromium.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { checkNodeVersion } from './lib/node-version.mjs';
import { inRoot } from './lib/paths.mjs';
import { runLocal } from './lib/run.mjs';
import { fail } from './lib/say.mjs';

checkNodeVersion();
await ensureInstalled();
const chromium = await findOrInstallChromium();
if (chromium.problem) fail(chromium.problem);
await ensureBuilt();
const { code } = await runLocal('playwright', ['test', '--config', 'screens.config.ts', ...process.argv.slice(2)], {
  cwd: inRoot('e2e'),
  env: { CHROMIUM_PATH: chromium.path },
  echo: 'out',
});
process.exitCode = code;
