/**
 * Messages stored and delivered to everybody who has the chat open: 50 and 500 members, 1, 16 and 64 senders, one chat and
 * sixteen, in rounds that alternate between this build, another one and ejabberd. Then delivery at 5 messages a second.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/delivery/delivery.ts [--rounds 3] [--seconds 3]
 *     --against FOLDER       another checkout of Wardline that was built
 *     --ejabberd own         as Debian's package sets it up, with its own database, which it does not wait for; where it is installed
 *     --ejabberd postgres    storing in the same PostgreSQL as Wardline (package erlang-p1-pgsql)
 *     --ejabberd none        (bench/durable-send compares with bare inserts)
 *
 * Prints one JSON. Measures the servers as they were built last.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/postgres/embedded.ts';
import { round, sendAtRate, sendFor, summarise } from '../durable-send/measure.ts';
import { type ChatServer, cpuMsOf, type OpenChats } from './chat-server.ts';
import { isEjabberdInstalled, startEjabberd } from './ejabberd.ts';
import { startBuild } from './wardline.ts';

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    ejabberd: { type: 'string', default: 'own' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    members: { type: 'string', default: '50,500' },
    senders: { type: 'string', default: '1,16,64' },
    chats: { type: 'string', default: '1,16' },
  },
});
const numbers = (text: string) => text.split(',').map(Number);
const rounds = Number(values.rounds);
const roundMs = 1_000 * Number(values.seconds);
const here = fileURLToPath(new URL('../..', import.meta.url));
const GOALS: Readonly<Record<string, number>> = { '50/16/1': 1_400, '500/16/1': 480 };
const GOAL_TIMES_EJABBERD = 6;

const silent = { info() {}, warn() {}, error() {}, debug() {} };
const dataDir = mkdtempSync(join(tmpdir(), 'wardline-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
const servers: ChatServer[] = [];
try {
  const build = { postgresUrl: postgres.connectionString, dataDir };
  servers.push(await startBuild('this', { ...build, folder: here }));
  if (values.against !== undefined) {
    servers.push(await startBuild('other', { ...build, folder: resolve(values.against) }));
  }
  if (values.ejabberd !== 'none' && isEjabberdInstalled()) {
    servers.push(await startEjabberd(dataDir, values.ejabberd === 'postgres' ? postgres.connectionString : null));
  }
  const throughput = [];
  for (const people of numbers(values.members)) {
    for (const chats of numbers(values.chats)) throughput.push(...(await compare(people, chats)));
  }
  const slow = await measureSlow();
  const setUp = {
    cpus: cpus().length,
    load: loadavg(),
    node: process.version,
    postgres: postgres.version,
    rounds,
    roundMs,
  };
  console.log(JSON.stringify({ goal: 'PERF-2', setUp, throughput, slow }, null, 2));
} finally {
  for (const server of servers) await server.stop();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

interface Measured {
  readonly server: string;
  readonly acks: number[];
  delivered: number;
  ms: number;
  cpuMs: number;
}

async function compare(people: number, chats: number) {
  const opened: { server: ChatServer; open: OpenChats }[] = [];
  // Of several chats everybody is in each of Wardline's, and in one room of ejabberd, which would be less to do.
  const comparable = servers.filter(({ name }) => chats === 1 || name !== 'ejabberd');
  for (const server of comparable) opened.push({ server, open: await server.open({ people, chats }) });
  const membersPerChat = people / chats;
  const results = [];
  for (const senders of numbers(values.senders)) {
    const measured: Measured[] = comparable.map(({ name }) => ({
      server: name,
      acks: [],
      delivered: 0,
      ms: 0,
      cpuMs: 0,
    }));
    for (const one of opened) await measureRound({ ...one, senders, membersPerChat, into: null });
    for (let n = 0; n < rounds; n++) {
      for (const [index, one] of opened.entries()) {
        await measureRound({ ...one, senders, membersPerChat, into: measured[index] ?? null });
      }
    }
    const figures = measured.map(figuresOf);
    const result = {
      ...{ members: people, chats, senders, goal: GOALS[`${people}/${senders}/${chats}`] },
      timesOther: timesOf(figures, 'other'),
      timesEjabberd: timesOf(figures, 'ejabberd'),
      goalTimesEjabberd: `${people}/${senders}/${chats}` in GOALS ? GOAL_TIMES_EJABBERD : undefined,
      figures,
    };
    console.error(JSON.stringify(result));
    results.push(result);
  }
  for (const { open } of opened) open.close();
  return results;
}

function timesOf(figures: readonly ReturnType<typeof figuresOf>[], name: string): number | undefined {
  const [ours] = figures;
  const other = figures.find(({ server }) => server === name);
  return ours && other && round(ours.perSecond / other.perSecond);
}

interface Round {
  readonly server: ChatServer;
  readonly open: OpenChats;
  readonly senders: number;
  readonly membersPerChat: number;
  /** A round that is kept nowhere warms up. */
  readonly into: Measured | null;
}

/** Sends for a while, and waits until everything has arrived. */
async function measureRound({ server, open, senders, membersPerChat, into }: Round): Promise<void> {
  const sending = open.senders(senders);
  const before = open.arrivals.count;
  const cpuBefore = cpuMsOf(server.pid);
  const startedAt = performance.now();
  const acks = await sendFor(sending, roundMs);
  // Members are dealt to the chats in turn: where that does not come out even, most of it has arrived.
  await open.arrivals.reach(before + 0.99 * acks.length * membersPerChat, 10_000);
  const ms = performance.now() - startedAt;
  for (const sender of sending) await sender.close();
  if (into === null) return;
  into.delivered += open.arrivals.count - before;
  into.ms += ms;
  into.cpuMs += cpuMsOf(server.pid) - cpuBefore;
  into.acks.push(...acks);
}

function figuresOf({ server, acks, ms, cpuMs, delivered }: Measured) {
  const deliveredPerSecond = Math.round((delivered / ms) * 1000);
  const serverCpuMsPerMessage = round(cpuMs / Math.max(1, acks.length));
  return { server, ...summarise(acks, ms), deliveredPerSecond, serverCpuMsPerMessage };
}

/** Five messages a second to 50 members, on servers that have worked: how long until the last of them has it. */
async function measureSlow() {
  const figures = [];
  for (const server of servers) {
    const { arrivals, senders, close } = await server.open({ people: 50, chats: 1 });
    const [sender] = senders(1);
    if (sender === undefined) throw new Error('there is nobody to send');
    await sendFor([sender], 2_000);
    const delivering = {
      async send(body: string): Promise<void> {
        const arrived = arrivals.reach(arrivals.count + 50, 10_000);
        await Promise.all([sender.send(body), arrived]);
      },
    };
    figures.push({
      server: server.name,
      ...summarise(await sendAtRate([delivering], { perSecond: 5, durationMs: 20_000 }), 20_000),
    });
    await sender.close();
    close();
  }
  return { members: 50, perSecond: 5, goalP50Ms: 5, figures };
}
