// How much a delivery costs the server: our gateway, plain ws and socket.io, in turns, in one run.
//   npx tsx --tsconfig bench/tsconfig.json bench/realtime/fan-out.ts [--rounds 4] [--seconds 1.5] [--only RT-G1]
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import {
  type Case,
  cases,
  type Measured,
  type ReceiverOrder,
  type ServerKind,
  type ServerReady,
  serverKinds,
} from './cases.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '1.5' },
    only: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const measureMs = Number(values.seconds) * 1_000;

const children: ChildProcess[] = [];
try {
  console.log(JSON.stringify(await measureAll(), null, 2));
} finally {
  for (const child of children) child.kill('SIGKILL');
}

async function measureAll() {
  const results = [];
  const chosen = cases.filter(({ id }) => values.only === undefined || id === values.only);
  for (const benchCase of chosen) results.push(await measureCase(benchCase));
  return {
    setup: { node: process.version, cpus: cpus().length, cpu: cpus()[0]?.model, rounds, seconds: measureMs / 1_000 },
    unit: 'deliveries per second of server processor time; medians over the rounds',
    results,
    met: results.every(({ met }) => met),
  };
}

async function measureCase(benchCase: Case) {
  const rates: Record<ServerKind, number[]> = { gateway: [], ws: [], 'socket.io': [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of inTurn(round)) {
      const { deliveries, cpuMs } = await measureOnce(kind, benchCase);
      rates[kind].push(deliveries / (cpuMs / 1_000));
    }
  }
  const medians = Object.fromEntries(serverKinds.map((kind) => [kind, Math.round(median(rates[kind]))]));
  const goals = serverKinds.flatMap((kind) => {
    const goal = benchCase.goals[kind];
    if (goal === undefined) return [];
    // Ratios within a round, because a busy machine slows all servers of a round alike.
    const ratio = median(rates.gateway.map((rate, round) => rate / (rates[kind][round] ?? Number.NaN)));
    return [{ against: kind, ratio: Number(ratio.toFixed(2)), goal, met: ratio >= goal }];
  });
  const { id, subscribers, inFlight } = benchCase;
  const spread = Object.fromEntries(
    serverKinds.map((kind) => [kind, [Math.round(Math.min(...rates[kind])), Math.round(Math.max(...rates[kind]))]]),
  );
  return { id, subscribers, inFlight, ratePerCpuSecond: medians, spread, goals, met: goals.every(({ met }) => met) };
}

/** A fresh server and a fresh receiver each time, so that no run pays for the garbage of another. */
async function measureOnce(kind: ServerKind, { subscribers, inFlight }: Case): Promise<Measured> {
  const server = start('server-process.ts', kind);
  const [ready] = (await once(server, 'message')) as [ServerReady];
  const receiver = start('receiver-process.ts');
  const measured = once(server, 'message') as Promise<[Measured]>;
  const done = once(receiver, 'message');
  const order: ReceiverOrder = { ...ready, kind, run: { subscribers, inFlight, warmUpMs: 500, measureMs } };
  receiver.send(order);
  const [result] = await Promise.race([measured, failure(server), failure(receiver)]);
  await done;
  for (const child of [server, receiver]) child.kill('SIGKILL');
  return result;
}

function start(file: string, ...args: string[]): ChildProcess {
  const child = fork(new URL(file, import.meta.url), args, { execArgv: ['--import', 'tsx'] });
  children.push(child);
  return child;
}

async function failure(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`A child of the benchmark ended with ${code}`);
}

function inTurn(round: number): ServerKind[] {
  const first = round % serverKinds.length;
  return [...serverKinds.slice(first), ...serverKinds.slice(0, first)];
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle - 0.5)] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
