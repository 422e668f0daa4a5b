/** npm run journey NAME: builds what is stale and runs one file of journeys, also those that `npm test` leaves out. */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { findOrInstallChromium } from './lib/chromium.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { checkNodeVersion } from './lib/node-version.mjs';
import { inRoot } from './lib/paths.mjs';
import { runLocal } from './lib/run.mjs';
import { fail } from './lib/say.mjs';

checkNodeVersion();
const [name = '', ...options] = process.argv.slice(2);
const files = readdirSync(inRoot('e2e', 'journeys'), { recursive: true }).filter((file) => file.endsWith('.spec.ts'));
const names = files.map((file) => basename(file, '.spec.ts')).sort();
if (!names.includes(name)) fail(`Which journey? npm run journey NAME, one of: ${names.join(', ')}`);

await ensureInstalled();
const { path, problem } = await findOrInstallChromium();
if (problem) fail(problem);
await ensureBuilt();
const { code } = await runLocal('playwright', ['test', `/${name}.spec.ts`, '--reporter=list', ...options], {
  cwd: inRoot('e2e'),
  env: { WARDLINE_NIGHTLY: '1', ...(path && { CHROMIUM_PATH: path }) },
  echo: 'out',
});
process.exitCode = code;
