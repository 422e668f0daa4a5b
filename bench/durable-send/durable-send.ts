/**
 * PERF-2: from HTTP to commit to acknowledgement, beside what the same PostgreSQL does for the same rows by bare prepared
 * statements, in rounds that alternate. Then the time to acknowledge at 20 messages a second with 500 people connected.
 * Prints one JSON. Measures the server as it was built last: `npx tsx bench/durable-send/durable-send.ts`; about a minute.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate } from '../../apps/server/src/platform/db/migrate.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/postgres/embedded.ts';
import { connectBareSender } from './bare-sender.ts';
import { openHospital } from './hospital.ts';
import { createHttpSender } from './http-sender.ts';
import { connectListeners } from './listeners.ts';
import { round, sendAtRate, sendFor, summarise } from './measure.ts';
import { startWardline } from './wardline-process.ts';

const ROUNDS = 5;
const ROUND_MS = 3_000;
const WARM_UP_MS = 3_000;
const WRITERS = 16;
const CONNECTED = 500;
const PER_CHAT = 10;
const RATE = { perSecond: 20, durationMs: 15_000 };
const GOALS = { ratio: 0.5, p99Ms: 75 };

const schema = fileURLToPath(new URL('../../apps/server/db', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'wardline-bench-'));
const silent = { info() {}, warn() {}, error() {}, debug() {} };
const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
try {
  await migrate(postgres.connectionString, schema);
  const server = await startWardline(postgres.connectionString, dataDir, {
    // A few senders stand for a hospital's people, and one address for its many: their limits are not what is measured.
    WARDLINE_WRITES_PER_SECOND: '10000',
    WARDLINE_STRANGER_SOCKETS: '1000',
  });
  try {
    const throughput = await compare(server.port);
    const latency = await measureLatency(server.port);
    const setUp = {
      cpus: cpus().length,
      node: process.version,
      postgres: postgres.version,
      writers: WRITERS,
      rounds: ROUNDS,
    };
    console.log(JSON.stringify({ goal: 'PERF-2', setUp, throughput, latency }, null, 2));
  } finally {
    await server.stop();
  }
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function compare(port: number) {
  const senders = await openHospital(postgres.connectionString, { people: WRITERS * 2, perChat: 2 });
  const makers = senders.filter((_, index) => index % 2 === 0);
  const bare = await Promise.all(makers.map((sender) => connectBareSender(postgres.connectionString, sender)));
  const others = await openHospital(postgres.connectionString, { people: WRITERS * 2, perChat: 2 });
  const http = others.filter((_, index) => index % 2 === 0).map((sender) => createHttpSender(port, sender));
  const latencies: Record<'bare' | 'wardline', number[]> = { bare: [], wardline: [] };
  const ratios: number[] = [];
  await sendFor(bare, WARM_UP_MS);
  await sendFor(http, WARM_UP_MS);
  for (let n = 0; n < ROUNDS; n++) {
    const byBare = await sendFor(bare, ROUND_MS);
    const byHttp = await sendFor(http, ROUND_MS);
    latencies.bare.push(...byBare);
    latencies.wardline.push(...byHttp);
    ratios.push(round(byHttp.length / byBare.length));
  }
  for (const sender of [...bare, ...http]) await sender.close();
  const ratio = round(latencies.wardline.length / latencies.bare.length);
  return {
    bare: summarise(latencies.bare, ROUNDS * ROUND_MS),
    wardline: summarise(latencies.wardline, ROUNDS * ROUND_MS),
    ratios,
    ratio,
    goal: GOALS.ratio,
    met: ratio >= GOALS.ratio,
  };
}

/** Until the last events have arrived. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 500));
}

async function measureLatency(port: number) {
  const people = await openHospital(postgres.connectionString, { people: CONNECTED, perChat: PER_CHAT });
  const listeners = await connectListeners(port, people);
  const speakers = people.filter((_, index) => index % PER_CHAT === 0);
  const senders = speakers.map((speaker) => createHttpSender(port, speaker));
  await sendAtRate(senders, { ...RATE, durationMs: 2_000 });
  await settle();
  const before = listeners.received();
  const latencies = await sendAtRate(senders, RATE);
  await settle();
  const delivered = listeners.received() - before;
  listeners.close();
  for (const sender of senders) await sender.close();
  const measured = summarise(latencies, RATE.durationMs);
  return {
    connected: CONNECTED,
    ...RATE,
    ...measured,
    delivered,
    expected: latencies.length * PER_CHAT,
    goal: GOALS.p99Ms,
    met: measured.p99Ms <= GOALS.p99Ms && delivered === latencies.length * PER_CHAT,
  };
}
