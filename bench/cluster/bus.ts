/**
 * What it costs that two servers hear each other (RT-G8): one process tells 1,000 frames of 500 bytes a second for ten seconds, another
 * one takes them, by the bus and by the bare publish and subscribe of the same Redis in turns. Needs a redis-server on this machine.
 *   npx tsx --tsconfig bench/tsconfig.json bench/cluster/bus.ts
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { openCluster } from '../../apps/server/src/platform/cluster/open-cluster.ts';
import { hasRedis, startRealRedis } from '../../apps/server/src/platform/cluster/testing/real-redis.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';

const PER_SECOND = 1_000;
const SECONDS = 10;
const ROUNDS = 3;
const FRAME = Buffer.alloc(500, 'x');
const realtimeSecret = 'a secret that is only for measuring, 32+';
const SUBJECT = 'bare';

type Way = 'bus' | 'bare';
interface Measured {
  readonly heard: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** The clock that all processes of a machine share, as bytes before the frame. */
function stamped(): Buffer {
  const at = Buffer.alloc(8);
  at.writeBigInt64BE(process.hrtime.bigint());
  return Buffer.concat([at, FRAME]);
}

async function listen(url: string): Promise<void> {
  let waits: number[] = [];
  const take = (bytes: Buffer) => waits.push(Number(process.hrtime.bigint() - bytes.readBigInt64BE(0)) / 1e6);
  const { bus } = openCluster(url, { realtimeSecret, log: createLog('silent') });
  bus.onTold((told, bytes) => {
    if (told.kind === 'deliver') take(bytes);
  });
  const bare = new Redis(url);
  await bare.subscribe(SUBJECT);
  bare.on('messageBuffer', (_subject: Buffer, message: Buffer) => take(message));
  process.on('message', () => {
    waits.sort((a, b) => a - b);
    const at = (share: number) => Number((waits[Math.floor(waits.length * share)] ?? Number.NaN).toFixed(3));
    process.send?.({ heard: waits.length, p50_ms: at(0.5), p99_ms: at(0.99) } satisfies Measured);
    waits = [];
  });
  while (!bus.isHearing()) await sleep(20);
  process.send?.('ready');
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves to how many it told, a moment after the last. */
async function offer(tell: (bytes: Buffer) => void): Promise<number> {
  const from = performance.now();
  let told = 0;
  while (told < PER_SECOND * SECONDS) {
    const due = ((performance.now() - from) / 1_000) * PER_SECOND;
    for (; told < due; told++) tell(stamped());
    await sleep(1);
  }
  await sleep(500);
  return told;
}

async function measure(): Promise<void> {
  if (!hasRedis()) throw new Error('There is no redis-server on this machine.');
  const redis = await startRealRedis();
  const child = fork(fileURLToPath(import.meta.url), [redis.url], { execArgv: process.execArgv });
  await once(child, 'message');
  const cluster = openCluster(redis.url, { realtimeSecret, log: createLog('silent') });
  const bare = new Redis(redis.url);
  while (!cluster.bus.isHearing()) await sleep(20);
  const ways: Record<Way, (bytes: Buffer) => void> = {
    bus: (bytes) => cluster.bus.tell({ kind: 'deliver', channel: 'private-chat.0197' }, bytes),
    bare: (bytes) => void bare.publish(SUBJECT, bytes),
  };
  for (let round = 1; round <= ROUNDS; round++) {
    for (const way of ['bare', 'bus'] as const) {
      const told = await offer(ways[way]);
      const answered = once(child, 'message');
      child.send('said all');
      const [measured] = (await answered) as [Measured];
      process.stdout.write(`${JSON.stringify({ round, way, told, ...measured })}\n`);
    }
  }
  child.kill();
  bare.disconnect();
  await cluster.close();
  await redis.close();
}

const [url] = process.argv.slice(2);
await (url === undefined ? measure() : listen(url));
