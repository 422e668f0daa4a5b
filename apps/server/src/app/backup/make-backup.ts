import { createHmac, randomBytes } from 'node:crypto';
import { constants, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { takeBackupLock } from '#/platform/db/backups.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import { VERSION } from '#/platform/version.ts';
import { BackupError } from './backup-error.ts';
import type { KeyRing } from './backup-key.ts';
import { createFileSum, measuring } from './measure.ts';
import { type About, type Head, type Manifest, writePart } from './parts.ts';
import { createSealedWriter, type SealedWriter } from './sealed-file.ts';
import { listNamedFiles, type NamedFile } from './stored-files.ts';
import { copyOut, listSequences, listTables, type Table, withCopyClient } from './tables.ts';
import { LOOK, type Walked, walkBackup } from './walk-backup.ts';

export interface BackupDeps {
  /** Of the owner, whom no policy narrows. */
  readonly connectionString: string;
  readonly files: FileStore;
  /** The first encrypts it. */
  readonly keys: KeyRing;
  readonly appKey: string;
  /** Whether the app key lies beside the data and goes along; one that the operator keeps elsewhere does not. */
  readonly keepsAppKey: boolean;
  /** Ends it before its end: it throws, and nothing is left. */
  readonly signal?: AbortSignal;
}

const MOST_FAULTS = 100;
const TRIES = 3;
const WRITING = ['write', 'fsync', 'close', 'rename'];

/**
 * Writes database and files into a new file: all tables by one snapshot, then every file that the snapshot names. It has its name once it
 * was read back from the disk and found whole. Throws a BackupError, or what PostgreSQL or the file system says; nothing is left then.
 */
export async function makeBackup(deps: BackupDeps, target: string): Promise<Walked> {
  const draft = path.join(path.dirname(target), `.${path.basename(target)}.${randomBytes(4).toString('hex')}.draft`);
  const file = await open(draft, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600).catch(
    (error: NodeJS.ErrnoException) => {
      throw new BackupError(`${path.dirname(target)} takes no new file (${error.code ?? error.message}).`);
    },
  );
  try {
    try {
      const sealed = await createSealedWriter(file, deps.keys[0]);
      await withCopyClient(deps.connectionString, (client) => writeAll(deps, client, sealed), deps.signal);
      await sealed.end();
      await file.sync();
    } finally {
      await file.close();
    }
    const walked = await walkBackup(draft, deps, LOOK);
    await rename(draft, target);
    await syncFolder(path.dirname(target));
    return walked;
  } catch (error) {
    await rm(draft, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined || !WRITING.includes(syscall)) throw error;
    throw new BackupError(
      code === 'ENOSPC' || code === 'EDQUOT'
        ? `There is no room left for ${target} (${code}): no backup was made. Make room, or keep fewer by --keep.`
        : `${target} could not be written (${code}): no backup was made.`,
    );
  }
}

async function writeAll(deps: BackupDeps, client: pg.Client, sealed: SealedWriter): Promise<void> {
  if (!(await takeBackupLock(client, () => sleep(100))))
    throw new BackupError('Another backup of this database is under way.');
  await client.query('begin isolation level repeatable read read only');
  const tables = await listTables(client);
  await writeText(sealed, { kind: 'about' }, await describe(deps, client, tables));
  const manifest: Manifest['tables'] = [];
  for (const table of tables) manifest.push(await writeTable(client, sealed, table));
  await writeText(sealed, { kind: 'end' }, { tables: manifest, ...(await writeFiles(deps, client, sealed)) });
  await client.query('commit');
}

async function describe(
  { appKey, keepsAppKey }: BackupDeps,
  client: pg.Client,
  tables: readonly Table[],
): Promise<About> {
  return {
    version: VERSION,
    made_at: new Date().toISOString(),
    ...(await describeTables(client, tables)),
    app_key: keepsAppKey ? appKey : null,
    app_key_print: printOf(appKey),
  };
}

/** What the tables of another database must be made as, before the rows of these go into them. */
export async function describeTables(
  client: pg.Client,
  tables: readonly Table[],
): Promise<Pick<About, 'migrations' | 'tables' | 'sequences'>> {
  if (!tables.some(({ name }) => name === 'schema_migrations')) {
    throw new BackupError(
      'This database holds nothing of Wardline, or only what a build of before 018 made: start the server on it once.',
    );
  }
  const { rows } = await client.query<About['migrations'][number]>(
    'select name, checksum from schema_migrations order by name',
  );
  return {
    migrations: rows,
    tables: tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
    sequences: await listSequences(client),
  };
}

/** Tells one app key from another, to whom has the backup's key. */
export function printOf(appKey: string): string {
  return createHmac('sha256', appKey).update('wardline backup').digest('hex');
}

async function writeText(sealed: SealedWriter, head: Head, text: About | Manifest): Promise<void> {
  await writePart(sealed, head, Readable.from([Buffer.from(JSON.stringify(text))]));
}

async function writeTable(client: pg.Client, sealed: SealedWriter, table: Table): Promise<Manifest['tables'][number]> {
  const { name } = table;
  const { bytes, measured } = measuring(copyOut(client, table));
  await pipeline(bytes, createGzip({ level: 1 }), (packed: AsyncIterable<Buffer>) =>
    writePart(sealed, { kind: 'table', name }, packed),
  );
  const { rows, sha256 } = measured();
  return { name, rows, sha256 };
}

/** One after the other. No server takes away a file that the snapshot knows while the lock is held: one that is missing is lost. */
async function writeFiles(
  { files, signal }: BackupDeps,
  client: pg.Client,
  sealed: SealedWriter,
): Promise<Pick<Manifest, 'files' | 'faults'>> {
  const sum = createFileSum();
  const faults: Manifest['faults'] = [];
  for await (const named of listNamedFiles(client)) {
    signal?.throwIfAborted();
    const source = await openFile(files, named);
    if (source === null) {
      if (named.isNeeded && faults.length < MOST_FAULTS) faults.push({ name: named.name, what: 'missing' });
      continue;
    }
    const { bytes, measured } = measuring(source);
    await writePart(sealed, { kind: 'file', name: named.name }, bytes);
    const found = measured();
    sum.add(named.name, found);
    const isChanged = named.sha256 !== null && named.sha256 !== found.sha256;
    if (isChanged && faults.length < MOST_FAULTS) faults.push({ name: named.name, what: 'changed' });
  }
  return { files: sum.sum(), faults };
}

async function openFile(files: FileStore, { name, isNeeded }: NamedFile): Promise<AsyncIterable<Uint8Array> | null> {
  for (let attempt = 1; ; attempt++) {
    const source = await files.read(name);
    if (source !== null || !isNeeded || attempt === TRIES) return source;
    await sleep(200 * attempt);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
