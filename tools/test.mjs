/**
 * npm test: everything, from a fresh clone. Ends with the line 'N passed, N failed' (', N skipped' may follow); not 0
 * when anything failed. `--nightly` (npm run nightly): full matrices, long properties, all journeys. `--only checks` runs one stage,
 * as do `tests` and `browser`; it may be said twice.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findOrInstallChromium, findOrInstallHeadlessShell } from './lib/chromium.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { checkNodeVersion } from './lib/node-version.mjs';
import { cacheFolder, inRoot } from './lib/paths.mjs';
import { local, runTimed } from './lib/run.mjs';
import { bold, fail, green, red, say, yellow } from './lib/say.mjs';
import { memoryFolder } from './lib/test-runs/memory-folder.mjs';
import { countChecks, countPlaywright, countVitest, lastLine } from './lib/test-runs/test-reports.mjs';

const STAGES = { checks, tests, browser };
const options = { nightly: { type: 'boolean' }, only: { type: 'string', multiple: true } };
const { nightly, only = Object.keys(STAGES) } = parseArgs({ options }).values;
const wanted = only.map((name) => STAGES[name] ?? fail(`--only takes ${Object.keys(STAGES).join(', ')}.`));

if (nightly) {
  process.env.WARDLINE_NIGHTLY = '1';
  process.env.WARDLINE_ORDER ??= new Date().toISOString().slice(0, 10);
  say(`Test files in the order of WARDLINE_ORDER=${process.env.WARDLINE_ORDER}`);
}

/**
 * What the night tries: tools of ours, what is started as programs, and what another file stands for in `npm test`
 * (backup-drill for the restores, two-servers for the cluster, demo-hospital for the demo). `npx vitest run`, with or without
 * a path, runs them all the same.
 */
const LEFT_TO_NIGHT = [
  'apps/server/src/app/backup/refused-backups.test.ts',
  'apps/server/src/app/commands/backup-commands.test.ts',
  'apps/server/src/app/{demo-day,pusher-two-servers}.test.ts',
  'apps/server/src/platform/cluster/{redis-bus,share-rosters}.test.ts',
  'apps/server/src/testing/{dump-database,row-changes}.test.ts',
  'tools/checks/import-rules.test.mjs',
  'tools/lib/{install,keep-running,run}.test.mjs',
  'tools/{dev,pack-client}.test.mjs',
];

checkNodeVersion();
await ensureInstalled();

const reports = cacheFolder('reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const report = (name) => join(reports, `${name}.json`);

const chromium = await findOrInstallChromium();
// At night all journeys run in the whole browser.
const headlessShell = chromium.problem || process.env.WARDLINE_NIGHTLY ? null : await findOrInstallHeadlessShell();
const inMemory = memoryFolder();
const environment = {
  ...(chromium.path ? { CHROMIUM_PATH: chromium.path } : {}),
  ...(headlessShell ? { HEADLESS_SHELL_PATH: headlessShell } : {}),
  ...(inMemory ? { TMPDIR: inMemory } : {}),
  ...(process.env.WARDLINE_NIGHTLY ? {} : { WARDLINE_LEFT_OUT: LEFT_TO_NIGHT.join(' ') }),
};

const results = [];
for (const run of wanted) results.push(await run());

say(`\n${bold('Tests')}`);
for (const { name, passed, failed, skipped, problem, wallS, cpuS, failures = [], flaky = [] } of results) {
  const mark = failed > 0 ? red('failed') : green('passed');
  const left = skipped > 0 ? yellow(`, ${skipped} skipped`) : '';
  say(
    `  ${mark} ${name}: ${passed} passed, ${failed} failed${left}${problem ? ` (${problem})` : ''}, ${minutes(wallS)}, CPU ${minutes(cpuS)}`,
  );
  for (const test of failures) say(`    ${red('failed')}: ${test}`);
  for (const test of flaky) say(`    ${yellow('flaky')}: ${test}`);
}
const total = (what) => results.reduce((sum, result) => sum + result[what], 0);
say(`  in all ${minutes(total('wallS'))}, CPU ${minutes(total('cpuS'))}`);
say(lastLine(results));
process.exitCode = total('failed') > 0 ? 1 : 0;

function checks() {
  return stage('checks', countChecks, () => node(['tools/check.mjs', '--all', '--report', report('checks')]));
}

function tests() {
  const name = 'unit, server and web';
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report(name)}`];
  return stage(name, countVitest, () => node([script('vitest'), 'run', ...reporters], { env: environment }));
}

function browser() {
  return stage('browser', countPlaywright, browserTests);
}

async function browserTests() {
  if (chromium.problem) {
    say(red(chromium.problem));
    return { code: 1, wallS: 0, cpuS: 0 };
  }
  // In a process of its own: a build that fails ends only this stage.
  const built = await node(['tools/build.mjs']);
  if (built.code !== 0) return built;
  const env = { ...environment, PLAYWRIGHT_JSON_OUTPUT_FILE: report('browser'), PLAYWRIGHT_HTML_OPEN: 'never' };
  const tested = await node([script('playwright'), 'test', '--reporter=list,json'], { env, cwd: inRoot('e2e') });
  return { ...tested, wallS: built.wallS + tested.wallS, cpuS: built.cpuS + tested.cpuS };
}

/** Never throws: a stage that breaks counts as a failed test and the next one runs. */
async function stage(name, count, start) {
  say(`\n${bold(`── ${name}`)}`);
  const { code, wallS, cpuS } = await start();
  return { name, ...count(report(name), code), wallS, cpuS };
}

function node(args, options) {
  return runTimed(process.execPath, args, { ...options, echo: 'out' });
}

function script(name) {
  return local(name)[1];
}

function minutes(seconds) {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
