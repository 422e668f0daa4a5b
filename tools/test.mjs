/** npm test: everything, from a fresh clone. Ends with the line 'N passed, N failed'; not 0 when anything failed. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findOrInstallChromium } from './lib/chromium.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { checkNodeVersion } from './lib/node-version.mjs';
import { cacheFolder, inRoot } from './lib/paths.mjs';
import { local, run } from './lib/run.mjs';
import { bold, green, red, say, yellow } from './lib/say.mjs';
import { countChecks, countPlaywright, countVitest } from './lib/test-reports.mjs';

checkNodeVersion();
await ensureInstalled();

const reports = cacheFolder('reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const report = (name) => join(reports, `${name}.json`);

const chromium = await findOrInstallChromium();
const browser = chromium.path ? { CHROMIUM_PATH: chromium.path } : {};

const results = [
  await stage('checks', countChecks, () => node(['tools/check.mjs', '--report', report('checks')])),
  await stage('unit, server and web', countVitest, () =>
    node(
      [
        script('vitest'),
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report('unit, server and web')}`,
      ],
      {
        env: browser,
      },
    ),
  ),
  await stage('browser', countPlaywright, browserTests),
];

say(`\n${bold('Tests')}`);
for (const { name, passed, failed, skipped, problem, failures = [], flaky = [] } of results) {
  const mark = failed > 0 ? red('failed') : green('passed');
  const left = skipped > 0 ? yellow(`, ${skipped} skipped`) : '';
  say(`  ${mark} ${name}: ${passed} passed, ${failed} failed${left}${problem ? ` (${problem})` : ''}`);
  for (const test of failures) say(`    ${red('failed')}: ${test}`);
  for (const test of flaky) say(`    ${yellow('flaky')}: ${test}`);
}
const total = (what) => results.reduce((sum, result) => sum + result[what], 0);
say(`${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') > 0 ? 1 : 0;

async function browserTests() {
  if (chromium.problem) {
    say(red(chromium.problem));
    return { code: 1 };
  }
  // In a process of its own: a build that fails ends only this stage.
  const built = await node(['tools/build.mjs']);
  if (built.code !== 0) return built;
  const env = { ...browser, PLAYWRIGHT_JSON_OUTPUT_FILE: report('browser'), PLAYWRIGHT_HTML_OPEN: 'never' };
  return node([script('playwright'), 'test', '--reporter=list,json'], { env, cwd: inRoot('e2e') });
}

/** Never throws: a stage that breaks counts as a failed test and the next one runs. */
async function stage(name, count, start) {
  say(`\n${bold(`── ${name}`)}`);
  const { code } = await start();
  return { name, ...count(report(name), code) };
}

function node(args, options) {
  return run(process.execPath, args, { ...options, echo: 'out' });
}

function script(name) {
  return local(name)[1];
}
