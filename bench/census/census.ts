/**
 * CEN-11: the census of 1,000 hospitals, 30 units each, over ten years, and how long the product's own statements take on it.
 *   npx tsx --tsconfig bench/tsconfig.json bench/census/census.ts [--share 1|10|100] [--data <folder>] [--keep]
 * `--share` is per cent of the hospitals. Prints one JSON; the plans go to bench/census/plans. An interrupted run goes on
 * where it stopped when it is started again on the same folder.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import { createDatabase, type Database } from '../../apps/server/src/platform/db/database.ts';
import { migrate } from '../../apps/server/src/platform/db/migrate.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/postgres/embedded.ts';
import { answersOf, type Figure, statementsOf, watched } from './figures.ts';
import { makeLongLog } from './long-log.ts';
import { assertSums, type Extent, makeTenYears } from './ten-years.ts';

const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '1' },
    data: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const share = Number(values.share);
if (![1, 10, 100].includes(share)) throw new Error('--share is 1, 10 or 100');

const ALL_HOSPITALS = 1_000;
const DAYS = 3_653;
const WARM_UP = 20;
const RUNS = 50;
/** Of a report with its part of indexes, transfers and sums, and of what is written before it is removed. */
const BYTES_A_REPORT = 420;

const extent: Extent = { facilities: (ALL_HOSPITALS * share) / 100, units: 30, from: '2016-01-01', to: '2025-12-31' };
const reports = extent.facilities * extent.units * DAYS;
const dataDir = values.data ?? join(tmpdir(), `wardline-census-bench-${share}`);
const plans = fileURLToPath(new URL('./plans', import.meta.url));
const schema = fileURLToPath(new URL('../../apps/server/db', import.meta.url));
const silent = { info() {}, warn() {}, error() {}, debug() {} };

mkdirSync(dataDir, { recursive: true, mode: 0o700 });
mustHaveRoom();
const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
try {
  await migrate(postgres.connectionString, schema);
  const client = new pg.Client({ connectionString: postgres.connectionString });
  // The server may end before the client does; what failed is told by its query.
  client.on('error', () => {});
  await client.connect();
  await client.query(`alter system set max_wal_size = '8GB'`);
  await client.query('select pg_reload_conf()');
  const startedAt = performance.now();
  await makeTenYears(client, extent, progress);
  await assertSums(client, extent);
  const madeInS = Math.round((performance.now() - startedAt) / 1000);
  const db = createDatabase(postgres.connectionString, silent as never, { poolSize: 1 });
  await makeLongLog(db);
  const figures = [];
  for (const figure of statementsOf(extent)) {
    figures.push(await measure(db, figure));
    await writePlans(db, client, figure);
  }
  const answers = [];
  for (const answer of answersOf(extent)) answers.push(await measure(db, answer));
  await db.destroy();
  const setUp = { share, ...(await sizes(client)), madeInS, cpus: cpus().length, node: process.version };
  console.log(
    JSON.stringify({ goal: 'CEN-11', setUp: { ...setUp, postgres: postgres.version }, figures, answers }, null, 2),
  );
  await client.end();
} finally {
  await postgres.stop();
}
if (!values.keep) rmSync(dataDir, { recursive: true, force: true });

/** Asked before the first row is made: what is there already has its room. */
function mustHaveRoom(): void {
  if (readdirSync(dataDir).length > 0) return;
  const { bavail, bsize } = statfsSync(dataDir);
  const [have, need] = [bavail * bsize, reports * BYTES_A_REPORT];
  if (have < need) {
    throw new Error(`${share} per cent needs ${gigabytes(need)} GB in ${dataDir}; ${gigabytes(have)} GB are free.`);
  }
}

function gigabytes(bytes: number): number {
  return Math.ceil(bytes / 1e9);
}

function progress(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

async function measure(db: Database, figure: Figure) {
  const { runs = RUNS } = figure;
  for (let turn = 0; turn < Math.min(WARM_UP, runs); turn++) await figure.run(db, turn);
  const pid = await backendPid(db);
  const processorBefore = processorMsOf(pid);
  const times: number[] = [];
  for (let turn = 0; turn < runs; turn++) {
    const startedAt = performance.now();
    await figure.run(db, turn);
    times.push(performance.now() - startedAt);
  }
  const processorMs = Number(((processorMsOf(pid) - processorBefore) / runs).toFixed(2));
  times.sort((a, b) => a - b);
  const at = (part: number) => Number((times[Math.floor(times.length * part)] ?? 0).toFixed(2));
  const medianMs = at(0.5);
  const { name, goalMs } = figure;
  const against = goalMs === null ? {} : { goalMs, met: medianMs <= goalMs };
  return { name, medianMs, p95Ms: at(0.95), processorMs, ...against };
}

async function backendPid(db: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]?.pid ?? 0;
}

/** What the database's process has used of a processor: the part of the time that others on the machine do not change. */
function processorMsOf(pid: number): number {
  try {
    const [user = 0, system = 0] =
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? [];
    return (user + system) * 10;
  } catch {
    return Number.NaN;
  }
}

/** What PostgreSQL does for each statement of a figure, with the numbers of one run. A correction is taken back. */
async function writePlans(db: Database, client: pg.Client, figure: Figure): Promise<void> {
  const watching = watched(db);
  await figure.run(watching.db, 1);
  const texts: string[] = [];
  for (const { sql: text, parameters } of watching.statements) {
    await client.query('begin');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${text}`, [
      ...parameters,
    ]);
    await client.query('rollback');
    texts.push(`${text.trim()}\n\n${rows.map((row) => row['QUERY PLAN']).join('\n')}\n`);
  }
  mkdirSync(plans, { recursive: true });
  writeFileSync(join(plans, `${figure.name.replaceAll(/\W+/g, '-')}.${share}.txt`), texts.join('\n\n'));
}

async function sizes(client: pg.Client) {
  const { rows } = await client.query<{ reports: string; size: string }>(
    `select (select sum(units_reported) from facility_months)::text as reports,
      pg_size_pretty(pg_database_size(current_database())) as size`,
  );
  return { reports: Number(rows[0]?.reports), database: rows[0]?.size, memoryGb: gigabytes(totalmem()) };
}
