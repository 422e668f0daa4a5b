import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { S3Settings } from '#/platform/config/s3-settings.ts';
import { createDatabase, type Database } from '#/platform/db/database.ts';
import { createLog } from '#/platform/log.ts';
import { emptyDatabase } from '#/testing/test-database.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { claimDatabase, countServers } from './claim-database.ts';
import { printOfFiles } from './files-print.ts';
import { watchServers } from './watch-servers.ts';

const log = createLog('silent');

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let db: Database;
let claims: (() => Promise<void>)[];
beforeEach(async () => {
  database = await emptyDatabase();
  db = createDatabase(database.connectionString, log, { poolSize: 2 });
  claims = [];
});
afterEach(async () => {
  for (const letGo of claims) await letGo();
  await db.destroy();
  await database.close();
});

async function claim({
  hearsOthers = false,
  print = null as string | null,
  filesPrint = null as string | null,
  onTaken = () => {},
  tries = 1,
} = {}): Promise<() => Promise<void>> {
  const letGo = await claimDatabase(database.connectionString, { hearsOthers, print, filesPrint, onTaken, tries, log });
  claims.push(letGo);
  return letGo;
}

/** The connection that holds the claim, and its lock. */
async function findClaims(): Promise<{ pid: number; lock: string }[]> {
  const { rows } = await sql<{ pid: number; lock: string }>`
    select pid, ((classid::bigint << 32) | objid::bigint)::text as lock from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
  `.execute(db);
  return rows;
}

const cut = (pid: number | undefined) => sql`select pg_terminate_backend(${pid})`.execute(db);

it('F-S7 OPS-5 a second server on one database is refused by name, until the first has let go', async () => {
  const letGo = await claim();
  const owner = new RegExp(`^Another Wardline server uses this database \\(wardline on .+, process ${process.pid}\\)`);
  await expect(claim()).rejects.toThrow(owner);
  await letGo();
  await claim();
});

it('OPS-5 servers that hear each other share a database, but not with one that hears nobody', async () => {
  const first = await claim({ hearsOthers: true });
  const second = await claim({ hearsOthers: true });
  await first();
  await expect(claim()).rejects.toThrow('Another Wardline server uses this database');
  await second();
  await claim();
  await expect(claim({ hearsOthers: true })).rejects.toThrow('A Wardline server without REDIS_URL uses this database');
});

it('OPS-5 A44 a server with other secrets than one that runs is refused by name; one of an earlier build is not asked for its own', async () => {
  const [ours, others] = ['0a1b2c3d', '4e5f6071'];
  const earlier = await claim({ hearsOthers: true });
  const first = await claim({ hearsOthers: true, print: ours });
  await earlier();
  await claim({ hearsOthers: true, print: ours });
  const said = new RegExp(
    `^Another server of this database \\(wardline on .+, process ${process.pid}\\) has another WARDLINE_APP_KEY`,
  );
  await expect(claim({ hearsOthers: true, print: others })).rejects.toThrow(said);
  expect(await findClaims()).toHaveLength(2);
  await expect(claim()).rejects.toThrow(/uses this database \(wardline on /);
  await first();
});

it('OPS-5 a server that keeps files in another place than one that runs is refused by name; one of an earlier build is not asked for its own', async () => {
  const [print, here, elsewhere] = ['0a1b2c3d', '11111111', '22222222'];
  const earlier = await claim({ hearsOthers: true, print });
  await claim({ hearsOthers: true, print, filesPrint: here });
  await claim({ hearsOthers: true, print, filesPrint: here });
  await claim({ hearsOthers: true, print });
  await earlier();
  const said = new RegExp(
    `^Another server of this database \\(wardline on .+, process ${process.pid}\\) keeps files elsewhere`,
  );
  await expect(claim({ hearsOthers: true, print, filesPrint: elsewhere })).rejects.toThrow(said);
  expect(await findClaims()).toHaveLength(3);
  await expect(claim()).rejects.toThrow(/uses this database \(wardline on /);
});

it('OPS-5 a folder of files is known again by whichever path, and another one, a bucket and another bucket are others', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'wardline-print-'));
  const at = (name: string) => path.join(root, name);
  mkdirSync(at('one'));
  symlinkSync(at('one'), at('same'));
  writeFileSync(at('closed'), 'no folder');
  const s3 = { bucket: 'ours', prefix: '' } as S3Settings;
  const [one, same, two] = ['one', 'same', 'two'].map((name) => printOfFiles({ dataDir: at(name), s3: null }));
  const bucket = printOfFiles({ dataDir: at('one'), s3 });
  expect(one).toMatch(/^[0-9a-f]{8}$/);
  expect([same, printOfFiles({ dataDir: at('one'), s3: null })]).toEqual([one, one]);
  expect(printOfFiles({ dataDir: at('two'), s3: { ...s3, endpoint: 'https://by.another.name' } as S3Settings })).toBe(
    bucket,
  );
  const below = printOfFiles({ dataDir: at('one'), s3: { ...s3, prefix: 'below/' } });
  expect(new Set([one, two, bucket, below]).size).toBe(4);
  expect(printOfFiles({ dataDir: at('closed'), s3: null })).toBeNull();
  rmSync(root, { recursive: true });
});

it('OPS-5 a server that replaces another waits until it has let go', async () => {
  const letGo = await claim();
  const next = claim({ tries: 20 });
  setTimeout(() => void letGo(), 400);
  await expect(next).resolves.toBeTypeOf('function');
});

it('OPS-5 a claim that broke with its connection is made again', async () => {
  await claim();
  const [before] = await findClaims();
  await cut(before?.pid);
  await vi.waitFor(
    async () => {
      const [now] = await findClaims();
      expect(now?.lock).toBe(before?.lock);
      expect(now?.pid).not.toBe(before?.pid);
    },
    { timeout: 5_000 },
  );
});

it('OPS-5 where another server came between meanwhile, this one is told to end', async () => {
  const onTaken = vi.fn();
  await claim({ onTaken, tries: 3 });
  const [held] = await findClaims();
  const other = db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${held?.lock}::bigint)`.execute(connection);
    await vi.waitFor(() => expect(onTaken).toHaveBeenCalledOnce(), { timeout: 5_000 });
  });
  await untilBlocked(db, other);
  await cut(held?.pid);
  await other;
});

it('OPS-5 a server that is not heard by Redis is told of, once it was found twice; one that is heard is not', async () => {
  await claim({ hearsOthers: true });
  await claim({ hearsOthers: true });
  expect(await countServers(db)).toBe(2);
  const said = vi.fn();
  let [isHearing, others] = [true, 1];
  const bus = { isHearing: () => isHearing, others: () => others };
  const end = watchServers({ db, bus, log: { ...log, error: said } as unknown as typeof log, everyMs: 20 });
  await sleep(200);
  others = 0;
  isHearing = false;
  await sleep(200);
  expect(said).not.toHaveBeenCalled();
  isHearing = true;
  await vi.waitFor(() => expect(said).toHaveBeenCalledWith({ unheard: 1 }, expect.stringContaining('same REDIS_URL')));
  end();
});
