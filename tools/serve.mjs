/**
 * npm run serve: production. No demo, settings from the environment; what is built already is not built again.
 * npm run backup, doctor, restore …: an operator's command in its place.
 */
import { ensureBuilt, isBuilt, outputOf } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { keepRunning } from './lib/keep-running.mjs';
import { checkNodeVersion } from './lib/node-version.mjs';

checkNodeVersion();
if (!isBuilt('web') || !isBuilt('server')) {
  await ensureInstalled();
  await ensureBuilt();
}
const env = { NODE_ENV: process.env.NODE_ENV ?? 'production' };
process.exitCode = await keepRunning([process.execPath, outputOf.server, ...process.argv.slice(2)], env);
process.exit();
