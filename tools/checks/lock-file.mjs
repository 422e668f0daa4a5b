/**
 * `npm ci` must accept the lock file on a clean clone (some registries lack a package of another platform), and it holds only what somebody has
 * agreed to: `reviewed-packages.txt`, which `--reviewed` writes anew once all that is new has been looked at.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { SKIPPED } from '../lib/checks/check-list.mjs';
import { findLockFileProblems, namesIn } from '../lib/checks/lock-file-problems.mjs';
import { inRoot } from '../lib/paths.mjs';
import { npmCommand, run } from '../lib/run.mjs';
import { say } from '../lib/say.mjs';

const LIST = inRoot('tools/checks/reviewed-packages.txt');
const readJson = (file) => JSON.parse(readFileSync(inRoot(file), 'utf8'));
const lock = readJson('package-lock.json');

if (process.argv.includes('--reviewed')) {
  writeFileSync(LIST, `${namesIn(lock).join('\n')}\n`);
} else {
  const reviewed = new Set(readFileSync(LIST, 'utf8').split('\n').filter(Boolean));
  const { allowScripts } = readJson('package.json');
  const problems = findLockFileProblems(lock, { reviewed, allowScripts });
  if (problems.length > 0) {
    say(
      `${problems.join('\n')}\nWhat to look at is in CONTRIBUTING.md; then: node tools/checks/lock-file.mjs --reviewed`,
    );
    process.exitCode = 1;
  } else {
    await tryInstalling();
  }
}

async function tryInstalling() {
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
    say('Offline: whether npm ci accepts the lock file was not checked.');
    process.exitCode = SKIPPED;
  } else if (code !== 0) {
    say(output);
    process.exitCode = 1;
  }
}
