/**
 * Messages stored and delivered to everybody who has the chat open: 50 and 500 members, 1, 16 and 64 senders, one chat and
 * sixteen, in rounds that alternate between this build and another one. Then delivery at 5 messages a second.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/delivery/delivery.ts --against ../other-checkout [--rounds 3] [--seconds 3]
 *
 * Prints one JSON. Measures the servers as they were built last.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/postgres/embedded.ts';
import { createHttpSender } from '../durable-send/http-sender.ts';
import { round, sendAtRate, sendFor, summarise } from '../durable-send/measure.ts';
import { startWardline } from '../durable-send/wardline-process.ts';
import { type Hospital, openHospital } from './hospital.ts';
import { connectListeners, type Listeners } from './listeners.ts';

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
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

const silent = { info() {}, warn() {}, error() {}, debug() {} };
const dataDir = mkdtempSync(join(tmpdir(), 'wardline-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
const builds: Build[] = [];
try {
  builds.push(await openBuild('this', here));
  if (values.against !== undefined) builds.push(await openBuild('other', resolve(values.against)));
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
  for (const { server } of builds) await server.stop();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

interface Build {
  readonly name: string;
  readonly databaseUrl: string;
  readonly server: Awaited<ReturnType<typeof startWardline>>;
}

/** A build's server over a database of its own, which it migrates as it starts. */
async function openBuild(name: string, folder: string): Promise<Build> {
  const client = new pg.Client({ connectionString: postgres.connectionString });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(postgres.connectionString);
  url.pathname = `/${name}`;
  const settings = {
    // A few senders stand for a hospital's people, and one address for its many: their limits are not what is measured.
    WARDLINE_WRITES_PER_SECOND: '10000',
    WARDLINE_STRANGER_SOCKETS: '1000',
  };
  const main = join(folder, 'apps/server/dist/main.js');
  const server = await startWardline(url.href, mkdtempSync(join(dataDir, 'files-')), settings, main);
  return { name, databaseUrl: url.href, server };
}

interface Opened {
  readonly build: Build;
  readonly hospital: Hospital;
  readonly listeners: Listeners;
}

interface Measured {
  readonly build: string;
  readonly acks: number[];
  delivered: number;
  ms: number;
  cpuMs: number;
}

async function compare(people: number, chats: number) {
  const opened: Opened[] = [];
  for (const build of builds) {
    const hospital = await openHospital(build.databaseUrl, { people, chats });
    opened.push({ build, hospital, listeners: await connectListeners(build.server.port, hospital) });
  }
  const results = [];
  for (const senders of numbers(values.senders)) {
    const measured = opened.map(({ build }) => ({ build: build.name, acks: [], delivered: 0, ms: 0, cpuMs: 0 }));
    for (const one of opened) await measureRound(one, { senders, into: null });
    for (let n = 0; n < rounds; n++) {
      for (const [index, one] of opened.entries()) await measureRound(one, { senders, into: measured[index] ?? null });
    }
    const figures = measured.map(figuresOf);
    const [ours, others] = figures;
    const ratio = ours && others ? round(ours.perSecond / others.perSecond) : undefined;
    const result = { members: people, chats, senders, goal: GOALS[`${people}/${senders}/${chats}`], ratio, figures };
    console.error(JSON.stringify(result));
    results.push(result);
  }
  for (const { listeners } of opened) listeners.close();
  return results;
}

/** Sends for a while, and waits until everything has arrived. A round that is kept nowhere warms up. */
async function measureRound(
  { build, hospital, listeners }: Opened,
  { senders, into }: { senders: number; into: Measured | null },
): Promise<void> {
  const { members, chatIds } = hospital;
  const sending = members
    .slice(0, senders)
    .map(({ token }, n) => createHttpSender(build.server.port, { token, chatId: chatIds[n % chatIds.length] ?? '' }))
    .map((sender) => ({ ...sender, send: (body: string) => sendUntilStored(sender, body) }));
  const before = listeners.received();
  const cpuBefore = cpuMsOf(build.server.pid);
  const startedAt = performance.now();
  const acks = await sendFor(sending, roundMs);
  // Sockets are dealt to the chats in turn: where that does not come out even, most of it has arrived.
  const expected = before + 0.99 * acks.length * (members.length / chatIds.length);
  for (let tries = 0; tries < 2_000 && listeners.received() < expected; tries++) {
    await new Promise((done) => setTimeout(done, 5));
  }
  const ms = performance.now() - startedAt;
  for (const sender of sending) await sender.close();
  if (into === null) return;
  into.delivered += listeners.received() - before;
  into.ms += ms;
  into.cpuMs += cpuMsOf(build.server.pid) - cpuBefore;
  into.acks.push(...acks);
}

/** As a device does: what the server cannot take for the moment (503) is sent again. */
async function sendUntilStored(sender: ReturnType<typeof createHttpSender>, body: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await sender.send(body);
    } catch (error) {
      if (tries === 5) throw error;
      await new Promise((done) => setTimeout(done, 200));
    }
  }
}

function figuresOf({ build, acks, ms, cpuMs, delivered }: Measured) {
  const deliveredPerSecond = Math.round((delivered / ms) * 1000);
  const serverCpuMsPerMessage = round(cpuMs / Math.max(1, acks.length));
  return { build, ...summarise(acks, ms), deliveredPerSecond, serverCpuMsPerMessage };
}

/** Five messages a second to 50 members: how long until the last of them has it. */
async function measureSlow() {
  const figures = [];
  for (const { name, databaseUrl, server } of builds) {
    const hospital = await openHospital(databaseUrl, { people: 50, chats: 1 });
    const listeners = await connectListeners(server.port, hospital);
    const [member] = hospital.members;
    const sender = createHttpSender(server.port, { token: member?.token ?? '', chatId: hospital.chatIds[0] ?? '' });
    const delivering = {
      async send(body: string): Promise<void> {
        const wanted = listeners.received() + 50;
        const answered = sender.send(body);
        while (listeners.received() < wanted) await new Promise((done) => setImmediate(done));
        await answered;
      },
    };
    await sendAtRate([delivering], { perSecond: 5, durationMs: 2_000 });
    figures.push({
      build: name,
      ...summarise(await sendAtRate([delivering], { perSecond: 5, durationMs: 10_000 }), 10_000),
    });
    await sender.close();
    listeners.close();
  }
  return { members: 50, perSecond: 5, goalP50Ms: 5, figures };
}

/** What a process has used so far: user and system time, in ticks of 10 ms (Linux). */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
