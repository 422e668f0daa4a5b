import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { grantAppRole } from '#/platform/db/grant-app-role.ts';
import { migrate } from '#/platform/db/migrate.ts';
import { findBinaries } from '#/platform/postgres/binaries.ts';
import { findServer } from '#/platform/postgres/bring-up.ts';
import { APP_ROLE } from '#/platform/postgres/database-setup.ts';
import { startEmbeddedPostgres } from '#/platform/postgres/embedded.ts';
import { processBirth } from '#/platform/postgres/process-state.ts';
import { TEMPLATE_DATABASE } from './template-database.ts';

const SERVER = path.join(import.meta.dirname, '../..');
const SCHEMA = path.join(SERVER, 'db');
/** What decides how a new cluster looks: the schema, and the code that makes cluster and schema. */
const INGREDIENTS = ['db', 'src/platform/db', 'src/platform/postgres'];
/** Beside the packages, and gone with them. */
const CACHE = path.join(SERVER, '../../node_modules/.cache/wardline/test-clusters');
/** The branches that somebody goes back and forth between. */
const KEPT = 3;
const STALE_MS = 10 * 60_000;
const silent = { info() {}, warn() {} };

/**
 * A data folder of one's own with a new, stopped cluster in it, and the migrated template database. initdb and the
 * migrations run once for all runs: a whole folder gets its name by a rename, so that a killed run leaves none that is
 * half made, and two runs at once make two and keep one.
 */
export async function newDataFolder(label = 'tests'): Promise<string> {
  const prefix = `wardline ${label} `;
  await removeAbandoned(prefix);
  const folder = await mkdtemp(path.join(os.tmpdir(), prefix));
  await copy(await cachedCluster(), folder);
  return folder;
}

async function cachedCluster(): Promise<string> {
  const cached = path.join(CACHE, await nameOfCluster());
  if (!existsSync(cached)) await makeCluster(cached);
  const now = new Date();
  await utimes(cached, now, now);
  return cached;
}

async function makeCluster(cached: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  await removeOld();
  // Made outside of the cache: PostgreSQL may run as another user, for whom the folder of the project is closed.
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'wardline new cluster '));
  const draft = `${cached}.${randomUUID()}.draft`;
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
    try {
      const template = await postgres.ensureDatabase(TEMPLATE_DATABASE);
      await migrate(template, SCHEMA);
      await grantAppRole(template, APP_ROLE);
    } finally {
      await postgres.stop();
    }
    await mkdir(draft, { mode: 0o700 });
    await copy(dataDir, draft);
    await rename(draft, cached).catch((error: unknown) => {
      if (!existsSync(cached)) throw error;
    });
  } finally {
    for (const left of [draft, dataDir]) await rm(left, { recursive: true, force: true });
  }
}

/** What runs that were killed left behind: their PostgreSQL, which outlives them, and its folder. */
async function removeAbandoned(prefix: string): Promise<void> {
  for (const name of await readdir(os.tmpdir())) {
    const folder = path.join(os.tmpdir(), name);
    if (!name.startsWith(prefix) || !(await isAbandoned(folder))) continue;
    try {
      const server = findServer(path.join(folder, 'postgres'));
      if (server) process.kill(server.pid, 'SIGQUIT');
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    } catch {
      // Another user's: not ours to remove.
    }
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  try {
    const owner = JSON.parse(await readFile(path.join(folder, 'owner.json'), 'utf8')) as { pid: number; birth: string };
    return processBirth(owner.pid) !== owner.birth;
  } catch {
    // Not started yet, or ended a moment ago.
    return Date.now() - (await usedAtOf(folder)) > STALE_MS;
  }
}

/** Clusters of other states of the code, the longest unused first, and what killed runs left behind. */
async function removeOld(): Promise<void> {
  const found = await Promise.all(
    (await readdir(CACHE)).map(async (name) => {
      const folder = path.join(CACHE, name);
      return { folder, isDraft: name.endsWith('.draft'), usedAt: await usedAtOf(folder) };
    }),
  );
  const stale = found.filter(({ usedAt }) => Date.now() - usedAt > STALE_MS);
  const whole = stale.filter(({ isDraft }) => !isDraft).sort((one, other) => other.usedAt - one.usedAt);
  for (const { folder } of [...stale.filter(({ isDraft }) => isDraft), ...whole.slice(KEPT - 1)]) {
    await rm(folder, { recursive: true, force: true });
  }
}

function usedAtOf(folder: string): Promise<number> {
  return stat(folder).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** `cp` keeps whose the files are: PostgreSQL may run as another user than its starter. */
async function copy(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${from}/.`, to]);
}

async function nameOfCluster(): Promise<string> {
  const hash = createHash('sha256');
  const { version } = createRequire(path.join(path.dirname(findBinaries().postgres), '../../package.json'))(
    './package.json',
  ) as { version: string };
  hash.update(`${process.platform} ${process.arch} ${version}`);
  for (const ingredient of INGREDIENTS) {
    const files = await readdir(path.join(SERVER, ingredient), { recursive: true }).catch(() => []);
    for (const file of files.filter((name) => /(?<!\.test)\.(ts|sql)$/.test(name)).sort()) {
      hash.update(`${ingredient}/${file}\n`).update(await readFile(path.join(SERVER, ingredient, file)));
    }
  }
  return hash.digest('hex').slice(0, 24);
}
