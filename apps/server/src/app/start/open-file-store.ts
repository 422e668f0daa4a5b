import path from 'node:path';
import { attachmentFile } from '#/features/chat/index.ts';
import { type Config, ConfigError } from '#/platform/config/read-config.ts';
import type { S3Settings } from '#/platform/config/s3-settings.ts';
import type { Database } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { createDiskStore, type FileStore } from '#/platform/files/file-store.ts';
import { findBucketFault } from '#/platform/files/s3/check-bucket.ts';
import { createS3Store } from '#/platform/files/s3/s3-store.ts';
import { SERVER_USER } from '#/platform/http/server-actor.ts';
import type { Log } from '#/platform/log.ts';
import { keepPlaceNote, placeNoteFile, readPlaceNote } from './place-note.ts';

type Places = Pick<Config, 'dataDir' | 's3'>;

export function localFiles(config: Pick<Config, 'dataDir'>): FileStore {
  return createDiskStore(path.join(config.dataDir, 'files'));
}

/**
 * The store that the settings name. A bucket is tried first: settings that cannot work end the start; one that does not answer just
 * now does not, since messages must go on without it.
 */
export async function openFileStore(config: Places, log: Log): Promise<FileStore> {
  return (await openStore(config, log)).files;
}

/** The same for a server, which refuses a bucket that the newest files of the data folder were not copied to. */
export async function openServedFiles(config: Places, db: Database, log: Log): Promise<FileStore> {
  const { files, isReached } = await openStore(config, log);
  if (config.s3 === null || !isReached) return files;
  await claimBucket(config.s3, db, files);
  await refuseUncopied(config, db, files);
  keepPlaceNote(config.dataDir, 'bucket', `${config.s3.bucket}/${config.s3.prefix}`);
  return files;
}

async function openStore(
  config: Places,
  log: Log,
): Promise<{ readonly files: FileStore; readonly isReached: boolean }> {
  if (config.s3 === null) {
    refuseFolderOnceLeft(config.dataDir);
    return { files: localFiles(config), isReached: true };
  }
  const files = createS3Store(config.s3, log);
  const fault = await findBucketFault(files);
  if (fault?.isPassing) log.error({ code: fault.code }, `the object storage cannot be used now: ${fault.message}`);
  else if (fault)
    throw new ConfigError(`The object storage cannot be used: ${fault.message}\nSee docs/configuration.md.`);
  return { files, isReached: fault === null };
}

const OWNER = 'installation.json';

/**
 * Marks a bucket as that of this installation. Throws a ConfigError where another one keeps files there: pictures that one does not know
 * it removes as nobody's. An account stands for the installation, since it goes along into another database, backup and bucket.
 */
export async function claimBucket({ bucket, prefix }: S3Settings, db: Database, files: FileStore): Promise<void> {
  const accounts = db.selectFrom('users').select('id').where('id', '!=', SERVER_USER.id).orderBy('id').limit(1);
  const mark = await files.get(OWNER);
  if (mark === null) {
    const first = await asSystem('start', () => accounts.executeTakeFirst());
    if (first) await files.put(OWNER, Buffer.from(`${JSON.stringify({ account: first.id })}\n`));
    return;
  }
  const marked = /"account":"([0-9a-f-]{36})"/.exec(String(mark))?.[1] ?? null;
  if (marked !== null && (await asSystem('start', () => accounts.where('id', '=', marked).executeTakeFirst()))) return;
  throw new ConfigError(
    `The bucket ${bucket}/${prefix} keeps the files of another installation, and each would remove pictures of the other.\n` +
      'Give this one an S3_BUCKET or S3_PREFIX of its own. If nothing else uses it any more, remove from there\n' +
      `  ${prefix}${OWNER}`,
  );
}

const NEWEST = 100;

/** What came after the last copy would be missing for everybody. Looked for are the newest, and in the bucket only what the folder has. */
async function refuseUncopied(config: Places, db: Database, bucket: FileStore): Promise<void> {
  const folder = localFiles(config);
  const newest = db
    .selectFrom('attachments')
    .select('key')
    .where('state', '=', 'ready')
    .orderBy('id', 'desc')
    .limit(NEWEST);
  let uncopied = 0;
  for (const { key } of await asSystem('start', () => newest.execute())) {
    const name = attachmentFile(key, 'file');
    if ((await folder.size(name)) !== null && (await bucket.size(name)) === null) uncopied += 1;
  }
  if (uncopied === 0) return;
  throw new ConfigError(
    `Of the ${NEWEST} newest files ${uncopied} are in ${path.join(config.dataDir, 'files')} and not in the bucket of S3_BUCKET.\n` +
      'Copy them first, with the server stopped: npm run files -- copy (docs/configuration.md).',
  );
}

/** The settings of the bucket are missing: every file would be, too, and what comes now would lie elsewhere. */
function refuseFolderOnceLeft(dataDir: string): void {
  const place = readPlaceNote(dataDir, 'bucket');
  if (place === null) return;
  throw new ConfigError(
    `S3_BUCKET is not set. The files of this installation have been in the bucket ${place.at} since ${place.since}.\n` +
      'Set it as it was. To keep files in the data folder again, copy those of the bucket into its folder “files” and remove\n' +
      `  ${placeNoteFile(dataDir, 'bucket')}`,
  );
}
