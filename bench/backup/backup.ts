/**
 * How long a backup and its restore take for a gigabyte (OPS-8, R17): 20,000 chats with a million messages and 200 MB of files, backed up, read
 * through, restored with every index and compared. Beside it bare COPY of the rows to nowhere, and the same database by pg_dump and pg_restore (custom format, which neither encrypts nor
 * compares), where there is one that is not older than the server.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/backup/backup.ts [--chats 4000] [--server postgresql://owner:…@127.0.0.1:5432/postgres]
 * Without --server it takes the embedded PostgreSQL. Prints one JSON.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { makeBackup } from '../../apps/server/src/app/backup/make-backup.ts';
import { checkBackup, restoreBackup } from '../../apps/server/src/app/backup/restore-backup.ts';
import { copyOut, listTables, withCopyClient } from '../../apps/server/src/app/backup/tables.ts';
import { migrate } from '../../apps/server/src/platform/db/migrate.ts';
import { createDiskStore } from '../../apps/server/src/platform/files/file-store.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/postgres/embedded.ts';
import { FILL } from '../chat-list/fill.ts';

const PICTURES = 200;
const PICTURE_BYTES = 1_000_000;
const GB = 1e9;
const NAMES = ['bench_from', 'bench_to', 'bench_by_pg_restore'] as const;

const { values } = parseArgs({ options: { chats: { type: 'string', default: '20000' }, server: { type: 'string' } } });
const silent = { info() {}, warn() {}, error() {}, debug() {} };
const folder = mkdtempSync(join(tmpdir(), 'wardline-bench-'));
const schema = fileURLToPath(new URL('../../apps/server/db', import.meta.url));
const embedded =
  values.server === undefined ? await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log: silent }) : null;
const server = values.server ?? embedded?.connectionString ?? '';
const urlOf = (name: string) => Object.assign(new URL(server), { pathname: `/${name}` }).href;

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function seconds<Result>(run: () => Result | Promise<Result>): Promise<{ s: number; result: Result }> {
  const startedAt = performance.now();
  const result = await run();
  return { s: Math.round((performance.now() - startedAt) / 100) / 10, result };
}

/** Null with the reason where there is none that can. */
async function byPgDump() {
  const found = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  if (found.status !== 0) return { pg_dump: null, why: 'there is no pg_dump' };
  const major = Number(/(\d+)\.\d+/.exec(found.stdout)?.[1]);
  const [row] = await query<{ major: number }>(
    server,
    `select current_setting('server_version_num')::int / 10000 as major`,
  );
  if (!row || major < row.major) return { pg_dump: null, why: `pg_dump ${major} refuses a server ${row?.major}` };
  const dump = join(folder, 'pg.dump');
  const made = await seconds(() => execFileSync('pg_dump', ['-Fc', '-Z1', '-f', dump, urlOf(NAMES[0])]));
  const back = await seconds(() => execFileSync('pg_restore', ['--no-owner', '--no-acl', '-d', urlOf(NAMES[2]), dump]));
  return { pg_dump: { dump_s: made.s, restore_s: back.s, bytes: statSync(dump).size } };
}

try {
  for (const name of NAMES) {
    await query(server, `drop database if exists ${name}`);
    await query(server, `create database ${name}`);
  }
  await migrate(urlOf(NAMES[0]), schema);
  // Filled in a tenth of the time; made again over the full table.
  const [search] = await query<{ text: string }>(
    urlOf(NAMES[0]),
    `select pg_get_indexdef('messages_search_idx'::regclass) as text`,
  );
  await query(urlOf(NAMES[0]), 'drop index messages_search_idx');
  await query(
    urlOf(NAMES[0]),
    FILL.replace('generate_series(0, 19999)', `generate_series(0, ${Number(values.chats) - 1})`),
  );
  await query(urlOf(NAMES[0]), search?.text ?? '');
  const files = createDiskStore(join(folder, 'files'));
  for (let n = 0; n < PICTURES; n++) {
    const key = randomBytes(16).toString('base64url');
    await files.put(`avatars/${key.slice(0, 2)}/${key}.webp`, randomBytes(PICTURE_BYTES));
    await query(urlOf(NAMES[0]), `update users set avatar_key = '${key}' where email = '${n + 1}@people.test'`);
  }
  const [size] = await query<{ bytes: string; version: string; rows: string }>(
    urlOf(NAMES[0]),
    `select pg_database_size(current_database()) as bytes, current_setting('server_version') as version, (select count(*) from messages) as rows`,
  );
  const bytes = Number(size?.bytes) + PICTURES * PICTURE_BYTES;
  const target = join(folder, 'x.backup');
  const keys = [randomBytes(32).toString('base64url')] as const;
  const appKey = randomBytes(32).toString('base64url');
  let peak = 0;
  const watching = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 50);
  const before = process.memoryUsage().rss;
  const bare = await seconds(() =>
    withCopyClient(urlOf(NAMES[0]), async (client) => {
      for (const table of await listTables(client)) for await (const _bytes of copyOut(client, table));
    }),
  );
  const made = await seconds(() =>
    makeBackup({ connectionString: urlOf(NAMES[0]), files, keys, appKey, keepsAppKey: true }, target),
  );
  const checked = await seconds(() => checkBackup(target, { keys, schema }));
  const restored = await seconds(() =>
    restoreBackup(target, checked.result, {
      ...{ connectionString: urlOf(NAMES[1]), files: createDiskStore(join(folder, 'restored')), schema, keys },
      ...{ appKey, dataDir: join(folder, 'none'), takesOtherAppKey: false },
    }),
  );
  clearInterval(watching);
  const perGb = (s: number) => Math.round((s / bytes) * GB * 10) / 10;
  const report = {
    set_up: {
      ...{ postgres: size?.version, messages: Number(size?.rows), load: loadavg()[0] },
      ...{ database_bytes: Number(size?.bytes), file_bytes: PICTURES * PICTURE_BYTES },
    },
    backup: { s: made.s, s_per_gb: perGb(made.s), bytes: made.result.bytes },
    check: { s: checked.s, s_per_gb: perGb(checked.s) },
    restore: { s: restored.s, s_per_gb: perGb(restored.s), tables: restored.result.manifest.tables.length },
    memory: { before_mb: Math.round(before / 1e6), peak_mb: Math.round(peak / 1e6) },
    comparison: { copy_of_the_rows_to_nowhere_s: bare.s, ...(await byPgDump()) },
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
} finally {
  for (const name of NAMES) await query(server, `drop database if exists ${name} with (force)`).catch(() => undefined);
  await embedded?.stop();
  rmSync(folder, { recursive: true, force: true });
}
