/**
 * How long one waits who works on the project: the check, one pure test file, one test file of the server, and from the saving of a
 * file of the server until the dev server answers anew. With another checkout both are timed in turns.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/loop/loop.ts [--against ../other-checkout] [--rounds 3]
 *
 * Prints one JSON: medians, in seconds by the clock. Both checkouts need `npm ci`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { round } from '../durable-send/measure.ts';

const { values } = parseArgs({ options: { against: { type: 'string' }, rounds: { type: 'string', default: '3' } } });
const here = fileURLToPath(new URL('../..', import.meta.url));
const checkouts = values.against === undefined ? [here] : [here, resolve(values.against)];
const GOALS_S = { check: 25, 'pure test file': 2, 'server test file': 5, 'dev server': 3 };
type Part = keyof typeof GOALS_S;
const PORT = 18_420;
const START_LIMIT_MS = 120_000;

const took = Object.fromEntries(Object.keys(GOALS_S).map((part) => [part, checkouts.map(() => [] as number[])]));
const note = (part: Part, checkout: number, seconds: number) => took[part]?.[checkout]?.push(seconds);
for (let n = 0; n < Number(values.rounds); n++) {
  for (const [index, folder] of checkouts.entries()) {
    note('check', index, await timed(() => run(folder, 'npm', 'run', 'check')));
    note('pure test file', index, await timed(() => testFile(folder, 'ratio.test.ts')));
    note('server test file', index, await timed(() => testFile(folder, 'reading.test.ts')));
  }
}
for (const [index, folder] of checkouts.entries()) {
  for (const seconds of await timeDevServer(folder)) note('dev server', index, seconds);
}
const parts = Object.entries(took).map(([part, figures]) => {
  const [seconds, against] = figures.map((each) => round(each.toSorted((a, b) => a - b)[each.length >> 1] ?? 0));
  return { part, goal: GOALS_S[part as Part], seconds, against };
});
console.log(JSON.stringify({ setUp: { cpus: cpus().length, load: loadavg(), rounds: values.rounds }, parts }, null, 2));

async function timed(act: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await act();
  return (performance.now() - startedAt) / 1000;
}

async function run(cwd: string, command: string, ...args: string[]): Promise<void> {
  const child = spawn(command, args, { cwd, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code} in ${cwd}`);
}

/** By its name: it may stand in another folder in the other checkout. */
function testFile(folder: string, name: string): Promise<void> {
  const [path] = execFileSync('git', ['ls-files', `*/${name}`], { cwd: folder, encoding: 'utf8' }).split('\n');
  if (!path) throw new Error(`there is no ${name} in ${folder}`);
  return run(folder, 'npx', 'vitest', 'run', path);
}

/** Saves a file of the server as it is, time and again, and waits until the server has gone and is back. */
async function timeDevServer(folder: string): Promise<number[]> {
  const data = mkdtempSync(join(tmpdir(), 'wardline-loop-'));
  const env = { ...process.env, PORT: String(PORT), WARDLINE_DATA: data };
  const dev = spawn(process.execPath, ['tools/dev.mjs'], { cwd: folder, env, stdio: 'ignore' });
  try {
    await until(dev, isAnswering);
    // The watched build ends after the first start.
    await wait(10_000);
    await until(dev, isAnswering);
    const file = join(folder, 'apps/server/src/platform/version.ts');
    const seconds: number[] = [];
    for (let n = 0; n < 1 + Number(values.rounds); n++) {
      const saved = await timed(async () => {
        writeFileSync(file, readFileSync(file));
        await until(dev, async () => !(await isAnswering()));
        await until(dev, isAnswering);
      });
      // The first build after the start is not the one that one waits for all day.
      if (n > 0) seconds.push(saved);
      await wait(2_000);
    }
    return seconds;
  } finally {
    dev.kill('SIGTERM');
    if (dev.exitCode === null) await once(dev, 'exit');
    rmSync(data, { recursive: true, force: true });
  }
}

async function until(dev: ChildProcess, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  while (!(await isSo())) {
    if (dev.exitCode !== null || performance.now() > deadline) throw new Error('the dev server does not answer');
    await wait(10);
  }
}

function isAnswering(): Promise<boolean> {
  return fetch(`http://127.0.0.1:${PORT}/up`).then(
    (reply) => reply.ok,
    () => false,
  );
}
