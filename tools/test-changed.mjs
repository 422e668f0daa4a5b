/** npm run test:changed [BASE]: the tests that the changes since BASE (HEAD) reach, by folder and by import. */
import { ensureInstalled } from './lib/install.mjs';
import { checkNodeVersion } from './lib/node-version.mjs';
import { runLocal } from './lib/run.mjs';
import { fail, say } from './lib/say.mjs';
import { changedFiles } from './lib/test-runs/changed-files.mjs';
import { askedByImport, reachedTests } from './lib/test-runs/reached-tests.mjs';
import { allTestFiles } from './lib/test-runs/test-files.mjs';

checkNodeVersion();
await ensureInstalled();

const changed = await changedFiles(process.argv[2] ?? 'HEAD').catch((error) => fail(error.message));
const reached = reachedTests(changed, allTestFiles());
const isOfClient = (file) => /^(apps\/web|packages)\//.test(file);
// A test file is related to itself: what lies beside a change is named among what vitest asks the imports of.
const byImport = [...new Set([...askedByImport(changed), ...reached.filter(isOfClient)])];
const ofServer = reached.filter((file) => !isOfClient(file));

const runs = [
  ...(byImport.length > 0 ? [['related', '--run', '--passWithNoTests', '--project', 'web*', ...byImport]] : []),
  ...(ofServer.length > 0 ? [['run', ...ofServer]] : []),
];
if (runs.length === 0) say('No change that a test could reach.');
for (const args of runs) {
  const { code } = await runLocal('vitest', args, { echo: 'out' });
  if (code !== 0) process.exitCode = code;
}
