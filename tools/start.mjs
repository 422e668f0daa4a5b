/** npm start: everything from a fresh clone to the demo hospital on http://127.0.0.1:8080. */
import { ensureBuilt, outputOf } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { keepRunning } from './lib/keep-running.mjs';
import { checkNodeVersion } from './lib/node-version.mjs';

checkNodeVersion();
await ensureInstalled();
await ensureBuilt();
process.exitCode = await keepRunning([process.execPath, outputOf.server, '--demo', ...process.argv.slice(2)]);
// The signal handlers and the channel to the ended server would keep this process.
process.exit();
