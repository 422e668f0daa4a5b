/** npm run records -- verify FILE: whether an exported record is as it was signed; needs no database and no settings. */
import { spawnSync } from 'node:child_process';
import { ensureBuilt, isBuilt, outputOf } from '../lib/build.mjs';
import { ensureInstalled } from '../lib/install.mjs';
import { checkNodeVersion } from '../lib/node-version.mjs';
import { inRoot } from '../lib/paths.mjs';

checkNodeVersion();
if (!isBuilt('server')) {
  await ensureInstalled();
  await ensureBuilt(['server']);
}
const args = [inRoot(outputOf.server), 'records', ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
