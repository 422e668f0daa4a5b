/**
 * RT-G6: what an idle socket costs the server in memory: our gateway, plain ws and socket.io, in turns, each in a process of its own that does
 * nothing else, before and after so many sockets are open, without garbage. In our gateway and in socket.io each is in a channel.
 *   npx tsx --tsconfig bench/tsconfig.json bench/realtime/memory.ts [--sockets 5000] [--rounds 3]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type ServerKind, type ServerOrder, type ServerReady, serverKinds } from './cases.ts';

const { values } = parseArgs({
  options: { sockets: { type: 'string', default: '5000' }, rounds: { type: 'string', default: '3' } },
});
const SOCKETS = Number(values.sockets);
const ROUNDS = Number(values.rounds);
const SETTLE_MS = 1_000;
const GOALS = { kbPerSocket: 10.5, timesSocketIo: 0.6 };

const figures: Record<ServerKind, { idleMb: number[]; kbPerSocket: number[]; totalMb: number[] }> = {
  gateway: { idleMb: [], kbPerSocket: [], totalMb: [] },
  ws: { idleMb: [], kbPerSocket: [], totalMb: [] },
  'socket.io': { idleMb: [], kbPerSocket: [], totalMb: [] },
};
for (let n = 0; n < ROUNDS; n++) for (const kind of serverKinds) await measure(kind);
const medians = Object.fromEntries(
  serverKinds.map((kind) => {
    const { idleMb, kbPerSocket, totalMb } = figures[kind];
    return [kind, { idleMb: median(idleMb), kbPerSocket: median(kbPerSocket), totalMb: median(totalMb) }];
  }),
) as Record<ServerKind, { idleMb: number; kbPerSocket: number; totalMb: number }>;
const timesSocketIo = round(medians.gateway.totalMb / medians['socket.io'].totalMb);
const timesWs = round(medians.gateway.kbPerSocket / medians.ws.kbPerSocket);
console.log(
  JSON.stringify(
    {
      goal: 'RT-G6',
      setUp: { cpus: cpus().length, load: loadavg(), node: process.version, sockets: SOCKETS, rounds: ROUNDS },
      medians,
      ...{ timesWs, timesSocketIo, goals: GOALS },
      met: {
        perSocket: medians.gateway.kbPerSocket <= GOALS.kbPerSocket,
        total: timesSocketIo <= GOALS.timesSocketIo,
      },
    },
    null,
    2,
  ),
);

async function measure(kind: ServerKind): Promise<void> {
  const server = start('server-process.ts', [kind]);
  const [ready] = (await once(server, 'message')) as [ServerReady];
  const before = await memoryOf(server);
  const clients = start('idle-process.ts', [kind, String(ready.port), String(SOCKETS)]);
  await once(clients, 'message');
  await sleep(SETTLE_MS);
  const after = await memoryOf(server);
  for (const child of [clients, server]) child.kill('SIGKILL');
  const into = figures[kind];
  into.idleMb.push(round(before / 2 ** 20));
  into.totalMb.push(round(after / 2 ** 20));
  into.kbPerSocket.push(round((after - before) / SOCKETS / 1_024));
}

async function memoryOf(server: ChildProcess): Promise<number> {
  const answered = once(server, 'message') as Promise<[number]>;
  server.send({ kind: 'memory' } satisfies ServerOrder);
  const [bytes] = await answered;
  return bytes;
}

function start(file: string, args: string[]): ChildProcess {
  return fork(new URL(file, import.meta.url), args, { execArgv: ['--import', 'tsx', '--expose-gc'] });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle - 0.5)] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
