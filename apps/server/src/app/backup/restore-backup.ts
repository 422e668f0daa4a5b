import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { secretPath } from '#/platform/config/secrets.ts';
import { migrate } from '#/platform/db/migrate.ts';
import { readSchemaFiles } from '#/platform/db/schema-files.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import { BackupError } from './backup-error.ts';
import type { KeyRing } from './backup-key.ts';
import { assertEmpty, beginLoading, type Loading } from './load-tables.ts';
import { printOf } from './make-backup.ts';
import type { About, Manifest } from './parts.ts';
import { listNamedFiles } from './stored-files.ts';
import { withCopyClient } from './tables.ts';
import { LOOK, type Walked, walkBackup } from './walk-backup.ts';

/** Where a backup goes. */
export interface RestoreDeps {
  readonly connectionString: string;
  readonly files: FileStore;
  /** With `migrations/` and `functions/` of this build. */
  readonly schema: string;
  readonly keys: KeyRing;
  /** That of WARDLINE_APP_KEY; null where it lies in the data folder. */
  readonly appKey: string | null;
  readonly dataDir: string;
  /** Goes on with another app key than the backup's: passwords, second factors and links lose their force. */
  readonly takesOtherAppKey: boolean;
  /** Ends it before its end: it throws, and leaves the places empty. */
  readonly signal?: AbortSignal;
}

export interface Restored extends Walked {
  /** Tables that were no table of Wardline. */
  readonly leftOut: readonly string[];
  /** Of this build, which came after the backup. */
  readonly migrated: readonly string[];
  readonly appKey: string;
}

const FOLDERS = ['attachments', 'avatars', 'uploads'];

/** Reads the whole backup and says whether this build could restore it; nothing is written. */
export async function checkBackup(
  file: string,
  { schema, ...opening }: Pick<RestoreDeps, 'keys' | 'schema' | 'signal'>,
): Promise<Walked> {
  const { migrations } = await readSchemaFiles(schema);
  const known = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  return walkBackup(file, opening, { ...LOOK, about: async (about) => assertKnown(about, known) });
}

/**
 * Puts a backup that was checked into an empty database and an empty file store. The rows come in one transaction, are read back and
 * compared; what went wrong leaves both empty. Then the ordinary migrations of this build.
 */
export async function restoreBackup(file: string, { about }: Walked, deps: RestoreDeps): Promise<Restored> {
  const appKey = findAppKey(about, deps);
  await assertNoFiles(deps.files);
  const restore = async (client: pg.Client, goOn: () => void) => {
    await client.query('begin');
    await assertEmpty(client);
    try {
      const loaded = await load(file, client, deps);
      keepAppKey(about, deps);
      goOn();
      await client.query('commit');
      return loaded;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      await removeFiles(deps.files);
      throw error;
    }
  };
  const restored = await withCopyClient(deps.connectionString, restore, deps.signal);
  return { ...restored, appKey, migrated: await migrate(deps.connectionString, deps.schema) };
}

async function load(file: string, client: pg.Client, deps: RestoreDeps): Promise<Walked & Pick<Restored, 'leftOut'>> {
  let begun: Loading | null = null;
  const loading = (): Loading => {
    if (begun === null) throw new Error('a backup begins with what it is of');
    return begun;
  };
  const walked = await walkBackup(file, deps, {
    async about(about) {
      begun = await beginLoading(client, deps.schema, about);
    },
    table: (name, rows) => loading().load(name, rows),
    file: (name, bytes) => deps.files.put(name, bytes),
  });
  await loading().finish(walked.manifest);
  await assertAllFiles(client, deps.files, walked.manifest);
  await endWhatHasEnded(client);
  return { ...walked, leftOut: loading().leftOut };
}

function assertKnown(about: About, known: ReadonlyMap<string, string>): void {
  const unknown = about.migrations.find(({ name }) => !known.has(name));
  if (unknown) {
    throw new BackupError(
      `The backup is of a newer build (${about.version}): its migration ${unknown.name} has no file here. Restore it with that build or a later one.`,
    );
  }
  const edited = about.migrations.find(({ name, checksum }) => known.get(name) !== checksum);
  if (edited) throw new BackupError(`The backup's migration ${edited.name} has another text than this build's.`);
}

/** The app key that the restored accounts belong to. */
function findAppKey(about: About, { appKey, dataDir, takesOtherAppKey }: RestoreDeps): string {
  const place = secretPath(dataDir, 'app-key');
  const given = appKey ?? (existsSync(place) ? readFileSync(place, 'utf8').trim() : about.app_key);
  if (given === null) {
    throw new BackupError(
      'The app key is not in this backup: it was given by WARDLINE_APP_KEY there. Set it here as well; without it nobody signs in.',
    );
  }
  if (printOf(given) === about.app_key_print || takesOtherAppKey) return given;
  const from = appKey === null ? place : 'WARDLINE_APP_KEY';
  throw new BackupError(
    `The app key of ${from} is not that of the backup: no password, second factor or link would have any force.\n` +
      'Take it away to have the backup’s own, or, where that one is lost, go on without it by --other-app-key.',
  );
}

function keepAppKey(about: About, { appKey, dataDir }: RestoreDeps): void {
  const place = secretPath(dataDir, 'app-key');
  if (appKey !== null || existsSync(place) || about.app_key === null) return;
  mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 });
  writeFileSync(place, `${about.app_key}\n`, { mode: 0o600, flag: 'wx' });
}

async function assertNoFiles(files: FileStore): Promise<void> {
  for (const folder of FOLDERS) {
    for await (const { name } of files.list(folder)) {
      throw new BackupError(
        `There are stored files already, such as ${name}. A backup is restored into an empty store only.\n` +
          'If they are of a restore that was killed, remove them, in files of the data folder or in the bucket, and run it again.',
      );
    }
  }
}

/** There were none before. */
async function removeFiles(files: FileStore): Promise<void> {
  for (const folder of FOLDERS) for await (const { name } of files.list(folder)) await files.remove(name);
}

/** Each file that the restored rows name is there, but those that were lost before the backup. */
async function assertAllFiles(client: pg.Client, files: FileStore, { faults }: Manifest): Promise<void> {
  const lost = new Set(faults.map(({ name }) => name));
  for await (const { name, isNeeded } of listNamedFiles(client)) {
    if (!isNeeded || lost.has(name) || (await files.size(name)) !== null) continue;
    throw new BackupError(`File ${name}: the rows name it, and the backup does not have it.`);
  }
}

/**
 * What was ended since the backup must not live again: everybody signs in anew, by which devices also drop what they keep of messages
 * whose places are given anew. What programs and directories were given stays. Uploads begin again, and so do copies of one's own data.
 * Legal holds that were placed since are not there: rules delete nothing for a day, in which they can be placed again.
 */
async function endWhatHasEnded(client: pg.Client): Promise<void> {
  await client.query('delete from sessions');
  await client.query(`delete from access_tokens where '*' = any(abilities)`);
  await client.query(`update attachments set received_bytes = 0 where state = 'uploading'`);
  await client.query('delete from own_data_copies where ready_at is not null');
  await client.query(
    `update retention_rules set effective_at = greatest(effective_at, now() + interval '1 day') where mode <> 'keep'`,
  );
}
