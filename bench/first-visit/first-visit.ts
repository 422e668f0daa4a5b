/**
 * PERF-4: a first visit of the sign-in page on a slow network and a slow processor, beside a bare HTML page in the same
 * run; then the same page without a network, from the service worker. Prints one JSON. Measures what was built last:
 * `npx tsx bench/first-visit/first-visit.ts`; about a minute. Needs a Chromium (CHROMIUM_PATH, or one in a usual place).
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { migrate } from '../../apps/server/src/platform/db/migrate.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/postgres/embedded.ts';
import { startWardline } from '../durable-send/wardline-process.ts';
import { startBarePage } from './bare-page.ts';
import { type Conditions, keepOffline, type Visit, visit } from './visit.ts';

const ROUNDS = 5;
/** Slow 4G as Lighthouse has it, and a processor four times slower than this one. */
const SLOW: Conditions = { kbitPerSecond: 1_600, latencyMs: 150, slowdown: 4 };
const GOALS = { firstPaintMs: 1_500, usableMs: 3_000, offlineMs: 1_000 };
const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const schema = fileURLToPath(new URL('../../apps/server/db', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'wardline-bench-'));
const silent = { info() {}, warn() {}, error() {}, debug() {} };
const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
try {
  await migrate(postgres.connectionString, schema);
  const server = await startWardline(postgres.connectionString, dataDir, {}, { hasClient: true });
  const bare = await startBarePage();
  const executablePath = process.env['CHROMIUM_PATH'] ?? USUAL_PLACES.find((place) => existsSync(place));
  const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ['--no-sandbox'] });
  try {
    const results = await measure(browser, `http://127.0.0.1:${server.port}`, bare.url);
    const setUp = { cpus: cpus().length, node: process.version, chromium: browser.version(), rounds: ROUNDS, ...SLOW };
    console.log(
      JSON.stringify({ goal: 'PERF-4', setUp, unit: 'ms after the navigation began; medians', ...results }, null, 2),
    );
  } finally {
    await browser.close();
    await bare.close();
    await server.stop();
  }
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure(browser: Browser, baseUrl: string, bareUrl: string) {
  const visits: Record<'bare' | 'start' | 'signIn' | 'offline', Visit[]> = {
    bare: [],
    start: [],
    signIn: [],
    offline: [],
  };
  const keeper = await keepOffline(browser, `${baseUrl}/sign-in`);
  for (let round = 0; round < ROUNDS; round += 1) {
    visits.bare.push(await visit(browser, bareUrl, SLOW));
    visits.start.push(await visit(browser, `${baseUrl}/`, SLOW));
    visits.signIn.push(await visit(browser, `${baseUrl}/sign-in`, SLOW));
    visits.offline.push(await keeper.visitOffline(`${baseUrl}/sign-in`, SLOW));
  }
  await keeper.close();
  const bare = medians(visits.bare);
  const signIn = medians(visits.signIn);
  const offline = medians(visits.offline);
  return {
    bare: { firstPaintMs: bare.firstPaintMs },
    startPage: { firstPaintMs: medians(visits.start).firstPaintMs },
    signIn: { ...signIn, firstPaintAgainstBare: Math.round((signIn.firstPaintMs / bare.firstPaintMs) * 100) / 100 },
    offline,
    goals: GOALS,
    met:
      signIn.firstPaintMs <= GOALS.firstPaintMs &&
      signIn.usableMs <= GOALS.usableMs &&
      offline.usableMs <= GOALS.offlineMs,
  };
}

function medians(visits: readonly Visit[]): Visit {
  const of = (read: (one: Visit) => number) =>
    visits.map(read).toSorted((a, b) => a - b)[Math.floor(visits.length / 2)] ?? 0;
  return { firstPaintMs: of((one) => one.firstPaintMs), usableMs: of((one) => one.usableMs) };
}
