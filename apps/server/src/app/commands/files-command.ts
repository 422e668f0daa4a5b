import path from 'node:path';
import { openInstallation } from '#/app/start/open-as-owner.ts';
import { claimBucket, localFiles } from '#/app/start/open-file-store.ts';
import { attachmentFile } from '#/features/chat/index.ts';
import { avatarFile } from '#/features/media/index.ts';
import { type Config, ConfigError } from '#/platform/config/read-config.ts';
import type { Database } from '#/platform/db/database.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import { findBucketFault } from '#/platform/files/s3/check-bucket.ts';
import { S3Error } from '#/platform/files/s3/s3-client.ts';
import { createS3Store, type S3Store, sha256Of } from '#/platform/files/s3/s3-store.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { Log } from '#/platform/log.ts';
import { readVerb, refuseMore } from './usage-error.ts';

export const USAGE = `npm run files -- copy     copies the files of the data folder to the bucket of the settings, reads each back and compares;
                         goes on where it was broken off, and the server may run meanwhile
npm run files -- compare  reads all of them in the bucket and compares, without writing`;

/** The operator's commands over stored files. Resolves to the exit code: 1 where a file is missing or differs. */
export async function runFilesCommand(args: readonly string[], config: Config, log: Log): Promise<number> {
  const [given, ...rest] = args;
  const verb = readVerb(given, ['copy', 'compare'], USAGE);
  refuseMore(rest, USAGE);
  if (config.s3 === null) throw new ConfigError('S3_BUCKET names no bucket. See docs/configuration.md.');
  const bucket = createS3Store(config.s3, log);
  const fault = await findBucketFault(bucket);
  if (fault) throw new ConfigError(`The object storage cannot be used: ${fault.message}`);
  const { db, close } = await openInstallation(config, log);
  try {
    if (verb === 'copy') await claimBucket(config.s3, db, bucket);
    const say = (line: string) => void process.stdout.write(`${line}\n`);
    const { copied, same, left, wrong, missing } = await copyFiles(
      { db, folder: localFiles(config), bucket, say },
      verb,
    );
    say(
      `${copied} files were copied, ${same} are the same already, ${left} belong to nothing any more and stay behind.`,
    );
    if (wrong > 0) say(`${wrong} files are NOT in the bucket as they are here.`);
    if (wrong + missing === 0) say('All of them are in the bucket as they are here.');
    if (missing > 0)
      say(
        `${missing} files that the database names are neither in ${path.join(config.dataDir, 'files')} nor in the bucket.\n` +
          'Is WARDLINE_DATA the data folder of the server? If so, they were lost before.',
      );
    return wrong + missing === 0 ? 0 : 1;
  } finally {
    bucket.close();
    await close();
  }
}

/** What is there is whole: a file is there when all of it is. */
function brokenOff({ code, status }: S3Error): ConfigError {
  const why = status === null ? 'does not answer any more' : 'refuses to go on';
  return new ConfigError(`The object storage ${why} (${code}). Run it again: what was copied is passed over.`);
}

interface Copying {
  readonly db: Database;
  readonly folder: FileStore;
  readonly bucket: S3Store;
  readonly say: (line: string) => void;
}

interface Copied {
  readonly copied: number;
  readonly same: number;
  readonly left: number;
  readonly wrong: number;
  /** Named by the database, and in neither: of another data folder, or lost before. */
  readonly missing: number;
}

const BATCH = 200;

/**
 * What the database still knows of the files in a folder, in the bucket too. A file that stands there with the hash it has here is
 * passed over; `compare` reads every one instead. Unfinished uploads go along, so that a switch ends none.
 */
export async function copyFiles(copying: Copying, verb: 'copy' | 'compare'): Promise<Copied> {
  return copyAll(copying, verb).catch((error: unknown) => {
    throw error instanceof AppError && error.cause instanceof S3Error ? brokenOff(error.cause) : error;
  });
}

async function copyAll(copying: Copying, verb: 'copy' | 'compare'): Promise<Copied> {
  const counts = { copied: 0, same: 0, left: 0, wrong: 0, missing: 0 };
  for await (const names of batches(copying.folder)) {
    const known = await findKnownKeys(copying.db, names);
    for (const name of names) {
      if (!known.has(keyOf(name))) counts.left += 1;
      else counts[await copyOne(copying, name, verb)] += 1;
    }
  }
  for await (const name of listWanted(copying.db)) {
    if ((await copying.folder.size(name)) === null && (await copying.bucket.size(name)) === null) counts.missing += 1;
  }
  return counts;
}

async function copyOne(
  { folder, bucket, say }: Copying,
  name: string,
  verb: 'copy' | 'compare',
): Promise<keyof Copied> {
  const bytes = await folder.size(name);
  // Removed since it was listed.
  if (bytes === null) return 'left';
  if (name.endsWith('.part')) return copyUnfinished({ folder, bucket, name, bytes }, verb);
  const here = await folder.read(name);
  if (here === null) return 'left';
  const sha256 = await sha256Of(here);
  const there = await bucket.describe(name);
  const isSame = there?.bytes === bytes && there.sha256 === sha256;
  if (verb === 'copy' && isSame) return 'same';
  if (verb === 'copy') {
    const source = await folder.read(name);
    if (source === null) return 'left';
    await bucket.putHashed(name, source, sha256);
  }
  const back = await bucket.read(name);
  if (back !== null && (await sha256Of(back)) === sha256) return verb === 'copy' ? 'copied' : 'same';
  say(`${name} ${back === null ? 'is missing' : 'differs'}.`);
  return 'wrong';
}

type Unfinished = Pick<Copying, 'folder' | 'bucket'> & { readonly name: string; readonly bytes: number };

async function copyUnfinished({ folder, bucket, name, bytes }: Unfinished, verb: string): Promise<keyof Copied> {
  const source = await folder.readUnfinished(name, bytes);
  if (source === null || bytes === 0) return 'left';
  if (verb === 'copy') await bucket.append(name, 0, source);
  return (await bucket.readUnfinished(name, bytes)) === null ? 'wrong' : 'copied';
}

async function* batches(folder: FileStore): AsyncGenerator<string[]> {
  let names: string[] = [];
  for (const top of ['avatars', 'attachments', 'uploads']) {
    for await (const { name } of folder.list(top)) {
      if (name.endsWith('.draft')) continue;
      names.push(name);
      if (names.length >= BATCH) {
        yield names;
        names = [];
      }
    }
  }
  if (names.length > 0) yield names;
}

/** `attachments/ab/KEY/file.bin`, `uploads/ab/KEY.part`, `avatars/ab/KEY.webp`. */
function keyOf(name: string): string {
  return name.split('/')[2]?.split('.')[0] ?? '';
}

/** Which of them somebody still has: what was deleted meanwhile must not come back. */
async function findKnownKeys(db: Database, names: readonly string[]): Promise<Set<string>> {
  const keys = names.map(keyOf);
  const files = await db
    .selectFrom('attachments')
    .select('key')
    .where('key', 'in', keys)
    // One that is removed may be on legal hold, and is there as long.
    .where('state', 'in', ['uploading', 'ready', 'removing'])
    .execute();
  const pictures = await db.selectFrom('users').select('avatar_key').where('avatar_key', 'in', keys).execute();
  return new Set([...files.map(({ key }) => key), ...pictures.flatMap((row) => row.avatar_key ?? [])]);
}

/** The files that people would look for: what messages have, and pictures of people. */
async function* listWanted(db: Database): AsyncGenerator<string> {
  const files = db.selectFrom('attachments').select('key').distinct().where('state', '=', 'ready').orderBy('key');
  for (let after = ''; ; ) {
    const page = await files.where('key', '>', after).limit(BATCH).execute();
    for (const { key } of page) yield attachmentFile(key, 'file');
    if (page.length < BATCH) break;
    after = page.at(-1)?.key ?? '';
  }
  const pictures = await db.selectFrom('users').select('avatar_key').where('avatar_key', 'is not', null).execute();
  for (const { avatar_key: key } of pictures) if (key !== null) yield avatarFile(key);
}
