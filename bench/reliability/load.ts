/**
 * R10: 1,000 signed-in people read, post, search and upload at a rate that does not wait for the answers; how long each took is counted from
 * when it was due. First what the server can do is found (32 at once), then a rate of which it is capable (200 a second, or 60 per cent of what it
 * can do), then five times what it can do, then the rate again, which says how soon it recovers.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/reliability/load.ts [--seconds 60] [--overload 20]
 *
 * Prints one JSON. Measures the server as it was built last; it shares the cores with whoever asks.
 */
import { randomBytes } from 'node:crypto';
import { constants, cpus, loadavg, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuMsOf } from '../delivery/chat-server.ts';
import { round } from '../durable-send/measure.ts';
import { type Answer, type Mix, openMix } from './load-mix.ts';
import { type OpenServer, withServer } from './open-server.ts';
import { memoryMbOf, watchMost } from './process-figures.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, overload: { type: 'string', default: '20' } },
});
const STEADY_MS = 1_000 * Number(values.seconds);
const OVERLOAD_MS = 1_000 * Number(values.overload);
const RATE = 200;
const SHARE = 0.6;
const TIMES = 5;
const AT_ONCE = 32;
const WARM_UP_MS = 10_000;
const RECOVERY_MS = 20_000;
const GOALS = { p95Ms: 150, p99Ms: 400, overloadedP99Ms: 1_000, recoveredMs: 10_000 };

// With what it starts it comes before other work of the machine: a driver that waits for a processor would ask for less than it says.
setPriority(constants.priority.PRIORITY_HIGH);

const LAG = 'wardline_event_loop_lag_max_seconds';

const appKey = randomBytes(32).toString('hex');
const isSuccess = (status: Answer['status']) => typeof status === 'number' && status >= 200 && status < 300;

console.log(JSON.stringify(await withServer({ WARDLINE_APP_KEY: appKey }, measure), null, 2));

interface Taken extends Answer {
  /** Milliseconds after the phase began when it was due, how much later it was sent, and how long it took since it was due. */
  readonly dueMs: number;
  readonly lateMs: number;
  readonly ms: number;
}

async function measure({ port, pid, databaseUrl, metric }: OpenServer) {
  const mix = await openMix(port, { databaseUrl, appKey });
  await mix.connectAll();
  await asFastAsItGoes(mix, WARM_UP_MS);
  const capacity = await asFastAsItGoes(mix, WARM_UP_MS);
  const perSecond = Math.min(RATE, Math.floor(capacity * SHARE));
  const light = await atRate(mix, { perSecond: Math.max(5, Math.round(perSecond / 20)), durationMs: WARM_UP_MS });
  const steady = await atRate(mix, { perSecond, durationMs: STEADY_MS });
  const idleMb = memoryMbOf(pid);
  const memory = watchMost(() => memoryMbOf(pid));
  const cpuMs = cpuMsOf(pid);
  await metric(LAG);
  const overloaded = await atRate(mix, { perSecond: Math.round(capacity * TIMES), durationMs: OVERLOAD_MS });
  const growthMb = round(memory.most() - idleMb);
  const server = { cpuMs: cpuMsOf(pid) - cpuMs, lagMaxMs: Math.round(1_000 * (await metric(LAG))) };
  const after = await atRate(mix, { perSecond, durationMs: RECOVERY_MS });
  mix.close();
  const figures = {
    light: figuresOf(light),
    steady: figuresOf(steady),
    overloaded: figuresOf(overloaded),
    after: figuresOf(after),
  };
  const bad = after.filter(({ status, ms }) => !isSuccess(status) || ms > GOALS.p99Ms);
  const recoveredMs = Math.round(Math.max(0, ...bad.map(({ dueMs, ms }) => dueMs + ms)));
  const refused = overloaded.filter(({ status }) => !isSuccess(status));
  return {
    goal: 'R10',
    setUp: {
      cpus: cpus().length,
      load: loadavg(),
      node: process.version,
      perSecond,
      capacity: Math.round(capacity),
      times: TIMES,
    },
    figures,
    timesLight: {
      p50: round(figures.steady.p50Ms / figures.light.p50Ms),
      p99: round(figures.steady.p99Ms / figures.light.p99Ms),
    },
    recoveredMs,
    whileOverloaded: { ...server, memoryGrowthMb: growthMb },
    met: {
      p95: figures.steady.p95Ms <= GOALS.p95Ms,
      p99: figures.steady.p99Ms <= GOALS.p99Ms,
      noFailure: steady.every(({ status }) => isSuccess(status)),
      overloadRefuses:
        refused.length > 0 && refused.every(({ status, hasRetryAfter }) => status === 503 && hasRetryAfter),
      overloadedP99: figures.overloaded.p99Ms <= GOALS.overloadedP99Ms,
      recovery: recoveredMs <= GOALS.recoveredMs,
    },
  };
}

function figuresOf(taken: readonly Taken[]) {
  const sorted = taken
    .filter(({ status }) => isSuccess(status))
    .map(({ ms }) => ms)
    .toSorted((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  const statuses: Record<string, number> = {};
  for (const { kind, status } of taken) {
    const name = isSuccess(status) ? 'success' : `${kind} ${status}`;
    statuses[name] = (statuses[name] ?? 0) + 1;
  }
  const sentLateMs = round(Math.max(...taken.map(({ lateMs }) => lateMs)));
  return { asked: taken.length, statuses, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), maxMs: at(1), sentLateMs };
}

/** So many at once, each asking again when it was answered; resolves to how many succeeded in a second. */
async function asFastAsItGoes(mix: Mix, durationMs: number): Promise<number> {
  const until = performance.now() + durationMs;
  let succeeded = 0;
  const work = async () => {
    while (performance.now() < until) if (isSuccess((await mix.send()).status)) succeeded += 1;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return succeeded / (durationMs / 1_000);
}

async function atRate(
  mix: Mix,
  { perSecond, durationMs }: { perSecond: number; durationMs: number },
): Promise<Taken[]> {
  const startedAt = performance.now();
  const taken: Promise<Taken>[] = [];
  const count = Math.round((perSecond * durationMs) / 1_000);
  while (taken.length < count) {
    for (const due = ((performance.now() - startedAt) * perSecond) / 1_000; taken.length < Math.min(due, count); ) {
      const dueMs = (taken.length * 1_000) / perSecond;
      const lateMs = performance.now() - startedAt - dueMs;
      taken.push(
        mix.send().then((answer) => ({ ...answer, dueMs, lateMs, ms: performance.now() - startedAt - dueMs })),
      );
    }
    await sleep(1);
  }
  return Promise.all(taken);
}
