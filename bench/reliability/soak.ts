/**
 * R11: 1,000 people read, post, search and upload at a steady rate, 200 others hold sockets in a chat where somebody speaks once a second, and half
 * of these come and go. Every half minute the server's memory, its heap without garbage, its open files, timers and connections
 * to the database are counted; a line through what was counted after the warm-up says by how much each grows in an hour.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/reliability/soak.ts [--minutes 15] [--per-second 40] [--leak]
 *
 * The goal's own lengths are `--minutes 480` each night and `--minutes 1440` each week. `--leak` lets the server keep 1 kB of each request, which the
 * heap must show. Prints one JSON, and each count as it is made. Measures the server as it was built last.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { freePort } from '../../apps/server/src/platform/postgres/server-process.ts';
import { type Hospital, openHospital } from '../delivery/hospital.ts';
import { createHttpSender } from '../durable-send/http-sender.ts';
import { round } from '../durable-send/measure.ts';
import { type Inspector, openInspector } from './inspector.ts';
import { fitLine, type Line } from './line.ts';
import { type Mix, openMix } from './load-mix.ts';
import { MANY_BEHIND_ONE_ADDRESS, type OpenServer, withServer } from './open-server.ts';
import { People } from './people.ts';
import { stamp } from './person.ts';
import { memoryMbOf } from './process-figures.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '15' },
    'per-second': { type: 'string', default: '40' },
    leak: { type: 'boolean', default: false },
  },
});
const MINUTES = Number(values.minutes);
const PER_SECOND = Number(values['per-second']);
/** What is filled once (caches, pools, compiled code) is no growth. */
const WARM_UP_MINUTES = Math.min(30, MINUTES / 3);
const SAMPLE_MS = 30_000;
const COME_AND_GO_MS = 10_000;
const PEOPLE = 100;
const GOAL_MB_AN_HOUR = 1;

/** Keeps 1 kB of each request that the process is asked, as a mistake would. */
const LEAK = `{
  const { Server } = process.getBuiltinModule('node:http');
  const kept = (globalThis.kept = []);
  const { emit } = Server.prototype;
  Server.prototype.emit = function (event, ...rest) {
    if (event === 'request') kept.push(new Array(128).fill(kept.length + 0.5));
    return emit.call(this, event, ...rest);
  };
}`;

interface Sample {
  readonly hours: number;
  readonly memoryMb: number;
  readonly heapMb: number;
  readonly files: number;
  readonly timers: number;
  readonly databaseConnections: number;
}

const appKey = randomBytes(32).toString('hex');
const inspectorPort = await freePort();
const staying = new People();
const comingAndGoing = new People();
const settings = {
  ...MANY_BEHIND_ONE_ADDRESS,
  WARDLINE_APP_KEY: appKey,
  NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}`,
};
try {
  console.log(JSON.stringify(await withServer(settings, measure), null, 2));
} finally {
  for (const people of [staying, comingAndGoing]) people.end();
}

async function measure({ port, pid, databaseUrl }: OpenServer) {
  const inspector = await openInspector(inspectorPort);
  if (values.leak) await inspector.evaluate(LEAK);
  const database = new pg.Client({ connectionString: databaseUrl });
  database.on('error', () => {});
  await database.connect();
  const mix = await openMix(port, { databaseUrl, appKey });
  const hospital = await openHospital(databaseUrl, { people: 2 * PEOPLE, chats: 1 });
  const startedAt = performance.now();
  const until = startedAt + MINUTES * 60_000;
  const isRunning = () => performance.now() < until;
  const samples: Sample[] = [];
  const answers: Answers = {};
  const working = { isRunning, answers };
  await Promise.all([
    askSteadily(mix, working),
    talk(port, { ...hospital, ...working }),
    (async () => {
      while (isRunning()) {
        await sleep(SAMPLE_MS);
        if (!isRunning()) break;
        const hours = (performance.now() - startedAt) / 3_600_000;
        const sample = { hours, ...(await count({ pid, inspector, database })) };
        samples.push(sample);
        console.error(JSON.stringify(sample));
      }
    })(),
  ]);
  inspector.close();
  await database.end();
  const after = samples.filter(({ hours }) => hours * 60 >= WARM_UP_MINUTES);
  const line = (of: (sample: Sample) => number) =>
    roundLine(fitLine(after.map((sample) => ({ x: sample.hours, y: of(sample) }))));
  const growthAnHour = {
    memoryMb: line(({ memoryMb }) => memoryMb),
    heapMb: line(({ heapMb }) => heapMb),
    files: line(({ files }) => files),
    timers: line(({ timers }) => timers),
    databaseConnections: line(({ databaseConnections }) => databaseConnections),
  };
  return {
    goal: 'R11',
    setUp: {
      ...{ cpus: cpus().length, load: loadavg(), node: process.version, minutes: MINUTES, warmUp: WARM_UP_MINUTES },
      ...{ perSecond: PER_SECOND, sockets: 2 * PEOPLE, leak: values.leak },
    },
    answers,
    growthAnHour,
    goalMbAnHour: GOAL_MB_AN_HOUR,
    verdict: {
      memory: verdictOf(growthAnHour.memoryMb),
      heap: verdictOf(growthAnHour.heapMb),
    },
  };
}

/** What a short run cannot tell it says. */
function verdictOf({ from, to }: Line): 'within the goal' | 'grows' | 'too short to tell' {
  if (to <= GOAL_MB_AN_HOUR) return 'within the goal';
  return from > GOAL_MB_AN_HOUR ? 'grows' : 'too short to tell';
}

function roundLine({ slope, from, to }: Line): Line {
  return { slope: round(slope), from: round(from), to: round(to) };
}

/** How often what was answered. */
type Answers = Record<string, number>;

interface Working {
  readonly isRunning: () => boolean;
  readonly answers: Answers;
}

function tally(answers: Answers, what: string | number): void {
  answers[what] = (answers[what] ?? 0) + 1;
}

/** One request after the other at the rate, whatever the answers take. */
async function askSteadily(mix: Mix, { isRunning, answers }: Working): Promise<void> {
  let underWay = 0;
  while (isRunning()) {
    underWay += 1;
    void mix.send().then(({ status }) => {
      underWay -= 1;
      tally(answers, status);
    });
    await sleep(1_000 / PER_SECOND);
  }
  while (underWay > 0) await sleep(10);
  mix.close();
}

/** Two hundred in one chat, of whom half come and go, while somebody speaks. */
async function talk(port: number, { members, chatIds, isRunning, answers }: Hospital & Working): Promise<void> {
  const chatId = chatIds[0] ?? '';
  const token = members[0]?.token ?? '';
  const sender = createHttpSender(port, { token, chatId });
  await staying.join({ port, members: members.slice(0, PEOPLE), chatId });
  await Promise.all([
    (async () => {
      for (; isRunning(); await sleep(1_000)) {
        await sender.send(stamp('Bed 12 is ready.')).then(
          () => tally(answers, 'said'),
          (error: Error) => tally(answers, error.message),
        );
      }
    })(),
    (async () => {
      while (isRunning()) {
        await comingAndGoing.join({ port, members: members.slice(PEOPLE), chatId });
        await sleep(COME_AND_GO_MS);
        await comingAndGoing.leave();
      }
    })(),
  ]);
  await sender.close();
}

async function count({
  pid,
  inspector,
  database,
}: {
  pid: number;
  inspector: Inspector;
  database: pg.Client;
}): Promise<Omit<Sample, 'hours'>> {
  const heapMb = (await inspector.heapWithoutGarbage()) / 2 ** 20;
  const timers = await inspector.evaluate(
    `process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || name === 'Immediate').length`,
  );
  const { rows } = await database.query<{ count: string }>(
    'select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return {
    memoryMb: memoryMbOf(pid),
    heapMb,
    files: readdirSync(`/proc/${pid}/fd`).length,
    timers: Number(timers),
    databaseConnections: Number(rows[0]?.count),
  };
}
