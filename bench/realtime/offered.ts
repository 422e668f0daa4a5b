/**
 * How long a broadcast takes at a rate that does not wait for anybody, from when it was due: our gateway, plain ws and socket.io, in turns.
 * RT-G4: 200 a second to 1,000 subscribers, by a server that has half of a core (the other half is taken by a process that does nothing
 * else). RT-G5: 5 a second to the same, with nothing beside it.
 *   npx tsx --tsconfig bench/tsconfig.json bench/realtime/offered.ts [--rounds 3] [--seconds 10] [--only RT-G4]
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Offered, type ServerKind, type ServerOrder, type ServerReady, serverKinds } from './cases.ts';
import type { Arrived } from './latency-process.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
    only: { type: 'string' },
  },
});
const ROUNDS = Number(values.rounds);
const DURATION_MS = 1_000 * Number(values.seconds);
const WARM_UP_MS = 2_000;
const SUBSCRIBERS = 1_000;
/** The core of a server that has only a half. */
const CORE = '1';
const LATE_MS = 10_000;

const offers = [
  { id: 'RT-G4', perSecond: 200, hasHalfACore: true },
  { id: 'RT-G5', perSecond: 5, hasHalfACore: false },
];

const children: ChildProcess[] = [];
try {
  const results = [];
  for (const offer of offers.filter(({ id }) => values.only === undefined || id === values.only)) {
    const rounds: (Awaited<ReturnType<typeof measure>> & { kind: ServerKind })[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      for (const kind of serverKinds) rounds.push({ kind, ...(await measure(kind, offer)) });
    }
    results.push({ ...offer, ...judge(offer.id, rounds), rounds });
  }
  const setUp = {
    cpus: cpus().length,
    load: loadavg(),
    node: process.version,
    subscribers: SUBSCRIBERS,
    rounds: ROUNDS,
  };
  console.log(JSON.stringify({ setUp, results }, null, 2));
} finally {
  for (const child of children) child.kill('SIGKILL');
}

type Round = Awaited<ReturnType<typeof measure>> & { kind: ServerKind };

function judge(id: string, rounds: readonly Round[]) {
  const of = (kind: ServerKind) => rounds.filter((one) => one.kind === kind);
  const ours = of('gateway');
  const timesWs = median(ours.map(({ p50Ms }, n) => p50Ms / (of('ws')[n]?.p50Ms ?? Number.NaN)));
  const met =
    id === 'RT-G4'
      ? ours.every(({ missing }) => missing === 0) &&
        median(ours.map(({ p50Ms }) => p50Ms)) <= 60 &&
        median(ours.map(({ p99Ms }) => p99Ms)) <= 250
      : timesWs <= 1.1;
  return { p50TimesWs: Math.round(timesWs * 100) / 100, met };
}

async function measure(kind: ServerKind, { perSecond, hasHalfACore }: (typeof offers)[number]) {
  const server = start('server-process.ts', [kind]);
  const [ready] = (await once(server, 'message')) as [ServerReady];
  const subscribers = start('latency-process.ts', [kind, String(ready.port), String(SUBSCRIBERS)]);
  await once(subscribers, 'message');
  const spinning = hasHalfACore ? await takeHalf(server) : null;
  await offer(server, { perSecond, durationMs: WARM_UP_MS });
  await sleep(1_000);
  await arrivedAt(subscribers);
  const { offered, wallMs, cpuMs } = await offer(server, { perSecond, durationMs: DURATION_MS });
  await sleep(hasHalfACore ? LATE_MS / 4 : 500);
  const { delivered, ...took } = await arrivedAt(subscribers);
  for (const child of [server, subscribers, spinning]) child?.kill('SIGKILL');
  const cores = Math.round((cpuMs / wallMs) * 100) / 100;
  return { ...took, missing: offered * SUBSCRIBERS - delivered, cores };
}

/** Binds the server to one core, and another process that is always busy to the same: the scheduler gives each a half. */
async function takeHalf(server: ChildProcess): Promise<ChildProcess> {
  const spinning = spawn('taskset', ['-c', CORE, process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' });
  children.push(spinning);
  await once(spawn('taskset', ['-a', '-p', '-c', CORE, String(server.pid)], { stdio: 'ignore' }), 'exit');
  return spinning;
}

async function offer(server: ChildProcess, order: { perSecond: number; durationMs: number }): Promise<Offered> {
  const done = once(server, 'message') as Promise<[Offered]>;
  server.send({ kind: 'offer', ...order } satisfies ServerOrder);
  return (await done)[0];
}

async function arrivedAt(subscribers: ChildProcess): Promise<Arrived> {
  const answered = once(subscribers, 'message') as Promise<[Arrived]>;
  subscribers.send('report');
  return (await answered)[0];
}

function start(file: string, args: string[]): ChildProcess {
  const child = fork(new URL(file, import.meta.url), args, { execArgv: ['--import', 'tsx'] });
  children.push(child);
  return child;
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle - 0.5)] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
