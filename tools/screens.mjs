/**
 * npm run screens: pictures of every route as three kinds of user, light and dark, desktop and phone, in screens/.
 * `-- --compare BEFORE AFTER`: which pictures of two folders differ. After a change that nobody should see, what is listed is looked at.
 */
import { ensureBuilt } from './lib/build.mjs';
import { findOrInstallChromium } from './lib/chromium.mjs';
import { compareScreens } from './lib/compare-screens.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { checkNodeVersion } from './lib/node-version.mjs';
import { inRoot } from './lib/paths.mjs';
import { runLocal } from './lib/run.mjs';
import { fail } from './lib/say.mjs';

checkNodeVersion();
await ensureInstalled();
const [first, before, after] = process.argv.slice(2);
if (first === '--compare') {
  if (!before || !after) fail('Give two folders: npm run screens -- --compare BEFORE AFTER');
  process.exit((await compareScreens(before, after)) ? 0 : 1);
}
const chromium = await findOrInstallChromium();
if (chromium.problem) fail(chromium.problem);
await ensureBuilt();
const { code } = await runLocal('playwright', ['test', '--config', 'screens.config.ts', ...process.argv.slice(2)], {
  cwd: inRoot('e2e'),
  env: { CHROMIUM_PATH: chromium.path },
  echo: 'out',
});
process.exitCode = code;
