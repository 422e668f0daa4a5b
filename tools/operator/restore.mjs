/** npm run restore -- FILE: puts a backup into an empty database and store of files, with the settings of npm run serve. */
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
const args = [inRoot(outputOf.server), 'restore', ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
