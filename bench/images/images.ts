// What a pixel bomb and a rush of large pictures cost the server, against decoding them where the requests are answered.
//   node --import tsx bench/images/images.ts [--rounds 20]
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import type { ImageOrder } from '../../apps/server/src/platform/images/image-order.ts';
import { decodeUnguarded, picture, plainPng } from '../../apps/server/src/platform/images/testing/pictures.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } });
const rounds = Number(values.rounds);
const MOST_MS_FOR_A_BOMB = 50;
const MOST_GROWTH_MB = 300;
const AT_ONCE = 20;

const SQUARE: ImageOrder = {
  width: 512,
  height: 512,
  fit: 'cover',
  format: 'webp',
  quality: 82,
  background: null,
  enlarge: true,
};

// Node alone does not resolve `#/…`; Vite does, as in the build.
type ImageWorkersModule = typeof import('../../apps/server/src/platform/images/image-workers.ts');
const root = fileURLToPath(new URL('../../apps/server', import.meta.url));
const { module } = await runnerImport<ImageWorkersModule>(`${root}/src/platform/images/image-workers.ts`, {
  root,
  configFile: false,
});
const workers = module.createImageWorkers({ log: createLog('silent') });
try {
  console.log(JSON.stringify(await measureAll(), null, 2));
} finally {
  workers.close();
}

async function measureAll() {
  const bomb = plainPng(14_000, 14_000);
  const photograph = await picture({ width: 6_000, height: 4_000, format: 'jpeg' });
  await workers.make(photograph, SQUARE);
  const refused = await timesOf(rounds, () => workers.make(bomb, SQUARE).catch(() => undefined));
  const decoded = await timesOf(Math.min(rounds, 5), () => decodeUnguarded(bomb));
  const rush = await measureRush(photograph);
  return {
    setup: { node: process.version, cpus: cpus().length, cpu: cpus()[0]?.model, rounds },
    bomb: {
      bytes: bomb.length,
      refusedMs: { median: median(refused), worst: round(Math.max(...refused)) },
      decodedWithoutLimitMs: { median: median(decoded) },
      goalMs: MOST_MS_FOR_A_BOMB,
      met: Math.max(...refused) < MOST_MS_FOR_A_BOMB,
    },
    rush: {
      pictures: AT_ONCE,
      pixels: 24_000_000,
      ...rush,
      goalMb: MOST_GROWTH_MB,
      met: rush.grownMb < MOST_GROWTH_MB,
    },
  };
}

/** Twenty of the largest pictures at the same moment: how long, how late the loop was, how much memory all processes took. */
async function measureRush(photograph: Buffer) {
  const before = memoryMb();
  let most = before;
  const watching = setInterval(() => {
    most = Math.max(most, memoryMb());
  }, 10);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, () => workers.make(photograph, SQUARE)));
  const tookMs = performance.now() - startedAt;
  delay.disable();
  clearInterval(watching);
  return { tookMs: round(tookMs), loopDelayP99Ms: round(delay.percentile(99) / 1e6), grownMb: round(most - before) };
}

/** Of this process and its children, where the system tells. */
function memoryMb(): number {
  const own = process.memoryUsage.rss();
  try {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    const pages = children.map((pid) => Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]));
    return (own + pages.reduce((sum, count) => sum + count * 4096, 0)) / 1e6;
  } catch {
    return own / 1e6;
  }
}

async function timesOf(count: number, run: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < count; turn++) {
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
  }
  return times;
}

function median(numbers: readonly number[]): number {
  return round(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0);
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
