/**
 * How late the steps of urgent messages are while the server is killed (SIGKILL) and started again between them: 200 escalations
 * whose steps fall due spread over a minute. Says too whether each step was done once.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/urgent/urgent.ts [--escalations 200] [--seconds 60] [--kills 8]
 *
 * Prints one JSON. Measures the server as it was built last. A step that falls due while no server runs is late by the time that
 * a start takes, which is said beside it; the goal is URG-1's 5 s at p99 over all of them.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/postgres/embedded.ts';
import { openHospital } from '../delivery/hospital.ts';
import { startWardline } from '../durable-send/wardline-process.ts';

const { values } = parseArgs({
  options: {
    escalations: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    kills: { type: 'string', default: '8' },
  },
});
const wanted = Number(values.escalations);
const spanS = Number(values.seconds);
const kills = Number(values.kills);
const GOAL_MS = 5_000;

const silent = { info() {}, warn() {}, error() {}, debug() {} };
const dataDir = mkdtempSync(join(tmpdir(), 'wardline-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
const db = new pg.Client({ connectionString: postgres.connectionString });
await db.connect();
const settings = { WARDLINE_WRITES_PER_SECOND: '10000' };
const start = () => startWardline(postgres.connectionString, join(dataDir, 'server'), settings);
let server = await start();
try {
  const { members, chatIds } = await openHospital(postgres.connectionString, { people: 8, chats: 4 });
  await sendAll(members, chatIds);
  await spreadDue();
  const startsMs: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    await sleep((spanS * 1_000) / (kills + 1));
    await server.stop();
    const before = performance.now();
    server = await start();
    startsMs.push(performance.now() - before);
  }
  await untilDone();
  const lateness = await readLateness();
  const at = (share: number) => lateness[Math.min(lateness.length - 1, Math.floor(share * lateness.length))] ?? 0;
  const setUp = { cpus: cpus().length, load: loadavg(), node: process.version, escalations: wanted, spanS, kills };
  const latenessMs = { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
  const doubled = await count(`select count(*) from (
    select from escalation_entries where kind = 'repeated' group by escalation_id having count(*) > 1) as twice`);
  const report = { steps: lateness.length, doubled, lost: wanted - lateness.length, latenessMs, startsMs };
  console.log(JSON.stringify({ goal: 'URG-1', isMet: latenessMs.p99 <= GOAL_MS, setUp, ...report }, null, 2));
} finally {
  await server.stop();
  await db.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function sendAll(members: readonly { userId: string; token: string }[], chatIds: readonly string[]) {
  const [sender, ...others] = members;
  if (!sender) throw new Error('a hospital without people');
  for (let n = 0; n < wanted; n++) {
    const target = others[n % others.length];
    const body = {
      ...{ client_id: randomUUID(), body: `Please come, ${n}` },
      urgent: { targets: { people: [target?.userId], role_id: null } },
    };
    const reply = await fetch(`http://127.0.0.1:${server.port}/api/chats/${chatIds[n % chatIds.length]}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sender.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (reply.status !== 201) throw new Error(`an urgent message was answered with ${reply.status}`);
  }
}

/** The first step of each falls due within the time measured, from two seconds on; the one after it not any more. */
async function spreadDue(): Promise<void> {
  await db.query(
    `update escalations set started_at = now(),
       due_at = date_trunc('milliseconds', now() + interval '2 s' + random() * make_interval(secs => $1))`,
    [spanS],
  );
}

async function untilDone(): Promise<void> {
  const until = Date.now() + (spanS + 60) * 1_000;
  while (Date.now() < until) {
    if ((await count(`select count(*) from escalations where step = 0`)) === 0) return;
    await sleep(200);
  }
}

async function readLateness(): Promise<number[]> {
  const { rows } = await db.query(
    `select extract(epoch from at - due_at) * 1000 as ms from escalation_entries where kind = 'repeated' order by 1`,
  );
  return rows.map(({ ms }) => Math.round(Number(ms)));
}

async function count(query: string): Promise<number> {
  return Number((await db.query(query)).rows[0]?.count ?? 0);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
