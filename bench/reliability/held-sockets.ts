/**
 * R8, PERF-7: 10,000 people hold a socket each, 5,000 from one address, while 20 messages a second are said in a chat of 200 of them. Then what
 * a socket costs in memory, and what one costs the bare ws, which holds as many in the same run.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/reliability/held-sockets.ts [--minutes 3] [--sockets 10000]
 *
 * `--minutes 30` is the goal's own length. Prints one JSON. Measures the server as it was built last.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../../apps/server/src/platform/postgres/server-process.ts';
import { type Member, openHospital, SAID_BEFORE } from '../delivery/hospital.ts';
import { createHttpSender } from '../durable-send/http-sender.ts';
import { round, sendAtRate } from '../durable-send/measure.ts';
import type { ServerReady } from '../realtime/cases.ts';
import { openInspector } from './inspector.ts';
import { MANY_BEHIND_ONE_ADDRESS, type OpenServer, withServer } from './open-server.ts';
import { People } from './people.ts';
import { stamp } from './person.ts';
import { memoryMbOf } from './process-figures.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '3' }, sockets: { type: 'string', default: '10000' } },
});
const SOCKETS = Number(values.sockets);
const DURATION_MS = 60_000 * Number(values.minutes);
const PER_ADDRESS = 5_000;
const TALKING = 200;
const SENDERS = 10;
const PER_SECOND = 20;
const TEXT = 'Bed 12 is ready; please bring the chart along when you come up.';
/** A new address has 1,000 sockets at once and 100 a second anew. */
const JOINED_WITHIN_MS = 300_000;
const GOALS = { memoryMb: 400, kbPerSocket: 10, p99Ms: 500 };

const inspectorPort = await freePort();
const talking = new People();
const groups = Array.from({ length: Math.ceil(SOCKETS / PER_ADDRESS) }, () => new People());
try {
  const settings = {
    ...MANY_BEHIND_ONE_ADDRESS,
    WARDLINE_WRITES_PER_SECOND: '10000',
    NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}`,
  };
  console.log(JSON.stringify(await withServer(settings, measure), null, 2));
} finally {
  for (const group of [talking, ...groups]) group.end();
}

async function measure(server: OpenServer) {
  const { port, pid, databaseUrl } = server;
  const chat = await openHospital(databaseUrl, { people: TALKING, chats: 1 });
  const quiet = await openHospital(databaseUrl, { people: SOCKETS - TALKING, chats: 0 });
  const chatId = chat.chatIds[0] ?? '';
  await talking.join({ port, members: chat.members, chatId });
  const senders = chat.members.slice(0, SENDERS).map(({ token }) => {
    const sender = createHttpSender(port, { token, chatId });
    return { ...sender, send: () => sender.send(stamp(TEXT)) };
  });
  // What the first requests and sockets load belongs to the idle server.
  await sendAtRate(senders, { perSecond: PER_SECOND, durationMs: 10_000 });
  await sleep(2_000);
  const idleMb = memoryMbOf(pid);
  const joinedMs = await joinAll(port, quiet.members);
  await sleep(5_000);
  const heldMb = memoryMbOf(pid);
  for (const group of [talking, ...groups]) await group.forget();
  const before = SAID_BEFORE + PER_SECOND * 10;
  const { length: sent } = await sendAtRate(senders, { perSecond: PER_SECOND, durationMs: DURATION_MS });
  for (const sender of senders) await sender.close();
  const heard = await talking.haveReached(before + sent, { people: TALKING, withinMs: 30_000 });
  const held = await Promise.all(groups.map((group) => group.report()));
  const afterMb = memoryMbOf(pid);
  // Asked at the end only: what is collected here would not be in the figures above.
  const inspector = await openInspector(inspectorPort);
  const heapMb = (await inspector.heapWithoutGarbage()) / 2 ** 20;
  const collectedMb = memoryMbOf(pid);
  inspector.close();
  const closed = [heard, ...held].map((report) => report.closed);
  const kbPerSocket = round(((heldMb - idleMb) * 1_024) / quiet.members.length);
  return {
    goal: 'R8, PERF-7',
    setUp: {
      ...{ cpus: cpus().length, load: loadavg(), node: process.version, minutes: DURATION_MS / 60_000 },
      ...{ sockets: SOCKETS, perAddress: PER_ADDRESS, talking: TALKING, perSecond: PER_SECOND },
    },
    memory: {
      ...{ idleMb: round(idleMb), heldMb: round(heldMb), afterMb: round(afterMb), goal: GOALS.memoryMb },
      withoutGarbage: { mb: round(collectedMb), heapMb: round(heapMb) },
    },
    socket: { kb: kbPerSocket, goal: GOALS.kbPerSocket, wsKb: await measureWs(quiet.members.length) },
    joinedMs,
    message: { p50Ms: round(heard.p50Ms), p99Ms: round(heard.p99Ms), goal: GOALS.p99Ms, failed: heard.failed },
    open: held.reduce((sum, { open }) => sum + open, heard.open),
    closed,
    met: {
      memory: afterMb <= GOALS.memoryMb,
      socket: kbPerSocket <= GOALS.kbPerSocket,
      message: heard.p99Ms <= GOALS.p99Ms && heard.heard === sent * TALKING,
      held: closed.every((codes) => Object.keys(codes).length === 0),
    },
  };
}

/** Each address as fast as the server lets it; resolves to how long that took. */
async function joinAll(port: number, members: readonly Member[]): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(
    groups.map(async (group, n) => {
      // The chat's people are at an address of their own.
      const own = members.slice(n * PER_ADDRESS, (n + 1) * PER_ADDRESS);
      await group.join({ port, members: own, chatId: null, localAddress: `127.0.0.${n + 2}`, atOnce: 8 });
      await group.haveReached(0, { people: own.length, withinMs: JOINED_WITHIN_MS });
    }),
  );
  return Math.round(performance.now() - startedAt);
}

/** kB that a socket costs a server of the bare ws. */
async function measureWs(sockets: number): Promise<number> {
  const start = (file: string, ...args: string[]) =>
    fork(fileURLToPath(new URL(`../realtime/${file}`, import.meta.url)), args, { execArgv: ['--import', 'tsx'] });
  const server = start('server-process.ts', 'ws');
  const [ready] = (await once(server, 'message')) as [ServerReady];
  const pid = server.pid ?? 0;
  const beforeMb = memoryMbOf(pid);
  const clients = start('idle-process.ts', 'ws', String(ready.port), String(sockets));
  await once(clients, 'message');
  await sleep(2_000);
  const kb = round(((memoryMbOf(pid) - beforeMb) * 1_024) / sockets);
  for (const child of [clients, server]) child.kill('SIGKILL');
  return kb;
}
