import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { Write } from '#/platform/http/context.ts';
import type { Log } from '#/platform/log.ts';
import { attachmentFile } from './attachment-store.ts';

export type Damage = 'changed' | 'missing';

export interface StoredAttachment {
  readonly key: string;
  readonly kind: string | null;
  readonly sha256: Buffer;
}

/** What is wrong with the files of an attachment, and how many bytes were read. Of pictures' smaller sizes only that they are there. */
export async function findDamage(files: FileStore, { key, kind, sha256 }: StoredAttachment) {
  const stream = await files.read(attachmentFile(key, 'file'));
  if (stream === null) return { damage: 'missing', bytes: 0 } as const;
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    hash.update(part);
    bytes += part.length;
  }
  if (!hash.digest().equals(sha256)) return { damage: 'changed', bytes } as const;
  const smaller = kind === 'image' ? (['large', 'small'] as const) : [];
  for (const size of smaller) {
    if ((await files.size(attachmentFile(key, size))) === null) return { damage: 'missing', bytes } as const;
  }
  return { damage: null, bytes };
}

/**
 * Hands a file on, its last part only once all of it is as it was stored: what was changed on the disk reaches nobody whole. Of a
 * file of one part that is known before a byte of it is there to read; else the stream ends with an error.
 */
export async function onlyWhole(stream: Readable, sha256: Buffer, onChanged: () => Promise<void>): Promise<Readable> {
  const parts = wholeParts(stream, sha256, onChanged);
  const first = await parts.next();
  return Readable.from(first.done ? [] : startingWith(first.value, parts));
}

async function* wholeParts(
  stream: Readable,
  sha256: Buffer,
  onChanged: () => Promise<void>,
): AsyncGenerator<Buffer, void> {
  const hash = createHash('sha256');
  let last: Buffer | null = null;
  for await (const part of stream as AsyncIterable<Buffer>) {
    hash.update(part);
    if (last !== null) yield last;
    last = part;
  }
  if (!hash.digest().equals(sha256)) {
    await onChanged();
    throw new AppError('not_found');
  }
  if (last !== null) yield last;
}

async function* startingWith(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

interface Found {
  readonly write: Write;
  readonly log: Log;
}

/** From now on nobody is given these files. The log names the file, for who brings it back from a backup. */
export async function noteDamage({ write, log }: Found, key: string, damage: Damage): Promise<void> {
  await write('chat.attachment.damage', async (tx) => {
    // What was deleted meanwhile may be gone.
    const attachment = await findStoredUnder(tx, key);
    if (attachment === undefined) return { result: undefined, audit: null };
    const noted = await tx
      .insertInto('damaged_files')
      .values({ key, problem: damage })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('key')
      .executeTakeFirst();
    if (noted === undefined) return { result: undefined, audit: null };
    const { id, facility_id: facilityId } = attachment;
    const file = attachmentFile(key, 'file');
    log.error({ facility: facilityId, attachment: id, file, damage }, 'a stored file is not as it was stored');
    return { result: undefined, audit: { facilityId, objectType: 'attachment', objectId: id, detail: { damage } } };
  });
}

/** These files are as they were stored again, and are given again. */
export async function forgetDamage(write: Write, key: string): Promise<void> {
  await write('chat.attachment.mend', async (tx) => {
    const whole = await tx.deleteFrom('damaged_files').where('key', '=', key).returning('key').executeTakeFirst();
    const attachment = await findStoredUnder(tx, key);
    if (whole === undefined || attachment === undefined) return { result: undefined, audit: null };
    const { id, facility_id: facilityId } = attachment;
    return { result: undefined, audit: { facilityId, objectType: 'attachment', objectId: id } };
  });
}

/** The attachment that a key was made for, or, once that is gone, one that was forwarded from it. */
function findStoredUnder(tx: DatabaseTransaction, key: string) {
  return tx
    .selectFrom('attachments')
    .select(['id', 'facility_id'])
    .where('key', '=', key)
    .where('state', '=', 'ready')
    .orderBy('copied_from', (by) => by.asc().nullsFirst())
    .executeTakeFirst();
}

/** How many attachments are given to nobody, since their files are not as they were stored. */
export async function countDamagedFiles(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('damaged_files')
    .select((row) => row.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Whether the files of an attachment `a` are as they were stored, as far as anybody has seen. */
export const isWhole = sql<boolean>`not exists (select from damaged_files d where d.key = a.key)`;
