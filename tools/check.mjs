/**
 * npm run check: every rule that needs neither browser nor database nor build. `--all` adds those of `npm test`;
 * `--only <name>` runs one; `--report <file>` writes JSON.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checks, SKIPPED } from './lib/checks/check-list.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { checkNodeVersion } from './lib/node-version.mjs';
import { inRoot } from './lib/paths.mjs';
import { run, runLocal } from './lib/run.mjs';
import { bold, fail, green, red, say, yellow } from './lib/say.mjs';

const AT_ONCE = 2;
const MARKS = { passed: green('passed '), failed: red('failed '), skipped: yellow('skipped') };

const { values } = parseArgs({
  options: { all: { type: 'boolean' }, only: { type: 'string' }, report: { type: 'string' } },
});
const chosen = checks.filter(({ name, isForVerify }) =>
  values.only ? name === values.only : values.all || !isForVerify,
);
if (chosen.length === 0) fail(`No check is called ${values.only}. There are: ${checks.map((c) => c.name).join(', ')}`);

checkNodeVersion();
await ensureInstalled();

const waiting = [...chosen];
const results = [];
await Promise.all(Array.from({ length: AT_ONCE }, work));

const shown = chosen.map((check) => results.find((result) => result.name === check.name));
say(`\n${bold('Checks')}`);
for (const { name, says, status, ms } of shown) say(`  ${MARKS[status]} ${name.padEnd(16)} ${says} (${ms} ms)`);
if (values.report) writeFileSync(values.report, JSON.stringify(shown.map(({ output, ...result }) => result)));
process.exitCode = shown.some(({ status }) => status === 'failed') ? 1 : 0;

async function work() {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const startedAt = performance.now();
    const { code, output } = await start(check);
    const status = code === 0 ? 'passed' : code === SKIPPED ? 'skipped' : 'failed';
    const ms = Math.round(performance.now() - startedAt);
    results.push({ name: check.name, says: check.says, status, ms, output });
    if (status !== 'passed' || values.only) say(`\n${bold(`── ${check.name}`)} ${MARKS[status]}\n${output.trimEnd()}`);
  }
}

function start({ bin, tool, args = [], env: own }) {
  // Colours would be escape codes in a report.
  const env = { FORCE_COLOR: '0', NO_COLOR: '1', ...own };
  return bin ? runLocal(bin, args, { env }) : run(process.execPath, [inRoot('tools', tool), ...args], { env });
}
