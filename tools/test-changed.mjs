/**
 * npm run test:changed [BASE]: the tests that the changes since BASE (HEAD) reach. What imports a changed file, and the
 * tests in its folder, since no import leads to a migration, a style or a fixture that is read from the disk.
 */
import { dirname } from 'node:path';
import { changedFiles } from './lib/changed-files.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { checkNodeVersion } from './lib/node-version.mjs';
import { runLocal } from './lib/run.mjs';
import { fail, say } from './lib/say.mjs';
import { allTestFiles } from './lib/test-files.mjs';

checkNodeVersion();
await ensureInstalled();

const changed = await changedFiles(process.argv[2] ?? 'HEAD').catch((error) => fail(error.message));
const folders = new Set(changed.map((file) => dirname(file)));
const beside = allTestFiles().filter((file) => folders.has(dirname(file)));
const source = changed.filter((file) => /\.(tsx?|mjs)$/.test(file));
const asked = [...new Set([...source, ...beside])];
if (asked.length === 0) {
  say('No change that a test could reach.');
} else {
  const { code } = await runLocal('vitest', ['related', '--run', '--passWithNoTests', ...asked], { echo: 'out' });
  process.exitCode = code;
}
