import { Day } from '@wardline/contract/values.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Database } from '#/platform/db/database.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import type { Write } from '#/platform/http/context.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import { enqueueJob, type JobHandler } from '#/platform/jobs/jobs.ts';
import type { Log } from '#/platform/log.ts';
import { newId } from '#/platform/new-id.ts';
import { findDamage, forgetDamage, noteDamage, type StoredAttachment } from './damaged-files.ts';

export const VERIFY_JOB = 'chat.attachment.verify';

/** One job reads so much at most; others get their turn between two. */
const BATCH = { files: 200, bytes: 256 * 1024 * 1024 };
/** By the clock of UTC, on a Sunday; later where no server ran then. */
const FROM_HOUR = 2;
const KEPT_DAYS = 400;

const Payload = z.object({ week: Day, after: z.nullable(z.string()) });

interface VerifyDeps {
  readonly db: Database;
  readonly log: Log;
}

/** Begins this week's reading of all stored files, unless it was begun: one of all processes does, and asks as often as it likes. */
export async function beginVerification({ db, log }: VerifyDeps, now = new Date()): Promise<void> {
  const week = sundayOf(new Date(now.getTime() - FROM_HOUR * 3_600_000));
  await createJobWrite({ db, log, jobId: `verify ${newId()}` })('chat.attachment.verify', async (tx) => {
    const begun = await tx
      .insertInto('file_verifications')
      .values({ week })
      .onConflict((conflict) => conflict.column('week').doNothing())
      .returning('week')
      .executeTakeFirst();
    if (!begun) return { result: undefined, audit: null };
    await sql`delete from file_verifications where week < ${week}::date - ${KEPT_DAYS}::integer`.execute(tx);
    await enqueueJob(tx, { kind: VERIFY_JOB, payload: { week, after: null } });
    return { result: undefined, audit: null };
  });
}

/** So many damaged files are looked at anew at once; the others wait for the week's reading. */
const MENDED_AT_ONCE = 50;

/** Gives again what somebody has brought back meanwhile, and forgets what was deleted: that is nobody's loss. */
export async function giveMended({ db, log, files }: VerifyDeps & Pick<JobDeps, 'files'>): Promise<void> {
  const write = createJobWrite({ db, log, jobId: `verify ${newId()}` });
  for (const { key, stored } of await listDamaged(db)) {
    const isMended = stored === null || (await findDamage(files, stored)).damage === null;
    if (isMended) await forgetDamage(write, key);
  }
}

/** With each the attachment that it is of, or null where there is none any more. */
async function listDamaged(
  db: Database,
): Promise<{ readonly key: string; readonly stored: StoredAttachment | null }[]> {
  const rows = await db
    .selectFrom('damaged_files as d')
    .leftJoin('attachments as a', (join) => join.onRef('a.key', '=', 'd.key').on('a.state', '=', 'ready'))
    .distinctOn('d.key')
    .select(['d.key', 'a.kind', 'a.sha256'])
    .orderBy('d.key')
    .limit(MENDED_AT_ONCE)
    .execute();
  return rows.map(({ key, kind, sha256 }) => ({ key, stored: sha256 === null ? null : { key, kind, sha256 } }));
}

function sundayOf(moment: Date): string {
  const sunday = new Date(moment);
  sunday.setUTCDate(sunday.getUTCDate() - sunday.getUTCDay());
  return sunday.toISOString().slice(0, 10);
}

interface JobDeps {
  readonly files: FileStore;
  /** How much one job reads at most. */
  readonly batch?: { readonly files: number; readonly bytes: number };
}

/**
 * Reads some stored files and goes on with the next ones. What is not as it was stored is said in the log and in the audit of its
 * facility, and given to nobody; what is again is given again. A store that does not answer is no damage: the job is tried again.
 */
export function verifyFiles({ files, batch = BATCH }: JobDeps): JobHandler {
  return async (payload, context) => {
    const { week, after } = Payload.parse(payload);
    const { db, log } = context;
    const write = createJobWrite(context);
    const stored = await listStored(db, after, batch.files);
    const looked = { files: 0, bytes: 0, last: after };
    for (const file of stored) {
      if (looked.bytes >= batch.bytes) break;
      const { damage, bytes } = await findDamage(files, file);
      if (damage !== null) await noteDamage({ write, log }, file.key, damage);
      else if (file.isDamaged) await forgetDamage(write, file.key);
      looked.files += 1;
      looked.bytes += bytes;
      looked.last = file.key;
    }
    const isDone = stored.length < batch.files && looked.files === stored.length;
    await noteBatch(write, { week, after, looked, isDone });
  };
}

/** By key, which what was forwarded shares. */
async function listStored(
  db: Database,
  after: string | null,
  limit: number,
): Promise<(StoredAttachment & { readonly isDamaged: boolean })[]> {
  const rows = await db
    .selectFrom('attachments as a')
    .leftJoin('damaged_files as d', 'd.key', 'a.key')
    .distinctOn('a.key')
    .select(['a.key', 'a.kind', 'a.sha256', 'd.key as damaged_key'])
    .where('a.state', '=', 'ready')
    .where('a.key', '>', after ?? '')
    .orderBy('a.key')
    .limit(limit)
    .execute();
  return rows.map(({ key, kind, sha256, damaged_key }) => {
    if (sha256 === null) throw new Error('a file that is ready has no hash');
    return { key, kind, sha256, isDamaged: damaged_key !== null };
  });
}

interface Batch {
  readonly week: string;
  readonly after: string | null;
  readonly looked: { readonly files: number; readonly bytes: number; readonly last: string | null };
  readonly isDone: boolean;
}

/** Says how far it has got and goes on; not where this has been done before, since the next job is there already. */
async function noteBatch(write: Write, { week, after, looked, isDone }: Batch): Promise<void> {
  await write('chat.attachment.verify', async (tx) => {
    const noted = await tx
      .updateTable('file_verifications')
      .set((row) => ({
        files: row('files', '+', looked.files),
        bytes: row('bytes', '+', looked.bytes),
        after_key: looked.last,
        ...(isDone && { finished_at: sql<Date>`now()` }),
      }))
      .where('week', '=', week)
      .where('after_key', 'is not distinct from', after)
      .where('finished_at', 'is', null)
      .returning('week')
      .executeTakeFirst();
    if (!noted || isDone) return { result: undefined, audit: null };
    await enqueueJob(tx, { kind: VERIFY_JOB, payload: { week, after: looked.last } });
    return { result: undefined, audit: null };
  });
}
