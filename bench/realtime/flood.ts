/**
 * F-S2: strangers from two addresses take as many sockets as they get, subscribe every tenth to 100 public channels and connect
 * again whenever they are sent away, while a signed-in person connects once a second from a third. Prints one JSON: seats
 * that strangers held, growth of the server's memory, the time of /up, and whether the person got in. Measures the server as
 * it was built last: `npx tsx --tsconfig bench/tsconfig.json bench/realtime/flood.ts [--seconds 30]`; a minute.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { migrate } from '../../apps/server/src/platform/db/migrate.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/postgres/embedded.ts';
import { openHospital, type Sender } from '../durable-send/hospital.ts';
import { connectListeners } from '../durable-send/listeners.ts';
import { startWardline } from '../durable-send/wardline-process.ts';
import type { FloodReport } from './flood-process.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '30' } } });
const SECONDS = Number(values.seconds);
const ADDRESSES = ['127.0.0.2', '127.0.0.3'];
const PERSON_WAITS_MS = 5_000;
const GOALS = { growthMb: 50 };

const schema = fileURLToPath(new URL('../../apps/server/db', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'wardline-bench-'));
const silent = { info() {}, warn() {}, error() {}, debug() {} };
const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
try {
  await migrate(postgres.connectionString, schema);
  const server = await startWardline(postgres.connectionString, dataDir);
  try {
    console.log(JSON.stringify(await measure(server), null, 2));
  } finally {
    await server.stop();
  }
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure({ port, pid }: { port: number; pid: number }) {
  const [person] = await openHospital(postgres.connectionString, { people: 1, perChat: 1 });
  if (!person) throw new Error('nobody is there');
  // What the first request and the first socket load belongs to the idle server.
  await connectOnce(port, person);
  for (let turn = 0; turn < 200; turn++) await timeUp(port);
  const idleMb = memoryOf(pid);
  const flood = await startFlood(port);
  const samples = { memoryMb: [] as number[], upMs: [] as number[], person: [] as (number | null)[] };
  const until = performance.now() + SECONDS * 1_000;
  const sampling = sampleUntil(until, async () => {
    samples.upMs.push(await timeUp(port));
    samples.memoryMb.push(memoryOf(pid));
    await sleep(100);
  });
  const connecting = sampleUntil(until, async () => {
    samples.person.push(await connectOnce(port, person));
    await sleep(1_000);
  });
  await Promise.all([sampling, connecting]);
  const report = await flood.stop();
  const growthMb = Math.round(Math.max(...samples.memoryMb) - idleMb);
  const got = samples.person.filter((ms) => ms !== null);
  return {
    goal: 'F-S2',
    setUp: { cpus: cpus().length, node: process.version, seconds: SECONDS, addresses: ADDRESSES.length },
    strangers: report,
    memory: { idleMb: Math.round(idleMb), growthMb, met: growthMb < GOALS.growthMb },
    upMs: { median: sorted(samples.upMs).at(samples.upMs.length >> 1), worst: Math.round(Math.max(...samples.upMs)) },
    person: {
      tries: samples.person.length,
      got: got.length,
      worstMs: got.length > 0 ? Math.round(Math.max(...got)) : null,
      met: got.length === samples.person.length,
    },
  };
}

async function sampleUntil(until: number, sample: () => Promise<void>): Promise<void> {
  while (performance.now() < until) await sample();
}

async function startFlood(port: number) {
  const child = fork(fileURLToPath(new URL('flood-process.ts', import.meta.url)), [String(port), ...ADDRESSES], {
    execArgv: ['--import', 'tsx'],
  });
  await once(child, 'message');
  return {
    async stop(): Promise<FloodReport> {
      const reported = once(child, 'message');
      child.send('stop');
      const [report] = (await reported) as [FloodReport];
      child.kill('SIGKILL');
      return report;
    },
  };
}

/** How long a person takes to be connected and subscribed; null where that did not come to pass in 5 s. */
async function connectOnce(port: number, person: Sender): Promise<number | null> {
  const startedAt = performance.now();
  const listening = connectListeners(port, [person]).then(
    (listeners) => {
      listeners.close();
      return performance.now() - startedAt;
    },
    () => null,
  );
  return Promise.race([listening, sleep(PERSON_WAITS_MS, null, { ref: false })]);
}

async function timeUp(port: number): Promise<number> {
  const startedAt = performance.now();
  await (await fetch(`http://127.0.0.1:${port}/up`)).text();
  return Math.round((performance.now() - startedAt) * 10) / 10;
}

function memoryOf(pid: number): number {
  const kb = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) / 1024;
}

function sorted(numbers: readonly number[]): number[] {
  return numbers.toSorted((a, b) => a - b);
}
