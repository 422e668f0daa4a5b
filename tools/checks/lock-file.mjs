/** `npm ci` must accept the lock file on a clean clone; some registries lack a package of another platform. */
import { SKIPPED } from '../lib/checks/check-list.mjs';
import { npmCommand, run } from '../lib/run.mjs';
import { say } from '../lib/say.mjs';

const [program, ...before] = npmCommand();
const { code, output } = await run(program, [
  ...before,
  'ci',
  '--dry-run',
  '--no-audit',
  '--no-fund',
  '--loglevel=notice',
]);
if (/EUSAGE|Missing: .* from lock file/.test(output)) {
  say(`${output}\nMake the lock file again: delete it, run npm install, and run this check until it passes.`);
  process.exitCode = 1;
} else if (code !== 0 && /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED|network/i.test(output)) {
  say('Offline: the lock file was not checked.');
  process.exitCode = SKIPPED;
} else if (code !== 0) {
  say(output);
  process.exitCode = 1;
}
