import { ATTACHMENT_SIZES } from '@wardline/contract/chat/attachments.ts';
import { Id } from '@wardline/contract/values.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { lockRetentionPolicy } from '#/features/chat/core/lock-retention-policy.ts';
import { isBeingBackedUp } from '#/platform/db/backups.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import { enqueueJob, type JobHandler } from '#/platform/jobs/jobs.ts';
import { attachmentFile, partFile } from './attachment-store.ts';

export const EXPIRE_JOB = 'chat.attachment.expire';
const REMOVE_JOB = 'chat.attachment.remove';

const Payload = z.object({ attachment: Id });

type Which = { readonly ids: readonly string[] } | { readonly messageId: string };

/** From the commit on nobody is given these files; a job takes them away. One that was sent meanwhile stays. */
export async function removeFiles(tx: DatabaseTransaction, which: Which): Promise<string[]> {
  const rows = await tx
    .updateTable('attachments')
    .set({ state: 'removing' })
    .where('state', 'in', ['uploading', 'ready'])
    .where((is) =>
      'ids' in which
        ? is.and([is('id', 'in', [...which.ids]), is('message_id', 'is', null)])
        : is('message_id', '=', which.messageId),
    )
    .returning('id')
    .execute();
  const ids = rows.map(({ id }) => id);
  await enqueueRemoval(tx, ids);
  return ids;
}

/** Of files that nobody is given any more. */
export async function enqueueRemoval(tx: DatabaseTransaction, ids: readonly string[]): Promise<void> {
  for (const id of ids) await enqueueJob(tx, { kind: REMOVE_JOB, payload: { attachment: id } });
}

export function attachmentJobs({ files }: { readonly files: FileStore }): Readonly<Record<string, JobHandler>> {
  return { [EXPIRE_JOB]: expire, [REMOVE_JOB]: remove(files) };
}

/** Takes away what was begun and not sent in time; what was sent has no such time any more. */
const expire: JobHandler = async (payload, context) => {
  const { attachment: id } = Payload.parse(payload);
  await createJobWrite(context)('chat.attachment.expire', async (tx) => {
    const found = await tx
      .selectFrom('attachments')
      .select(['facility_id', 'expires_at'])
      .where('id', '=', id)
      .where('message_id', 'is', null)
      .where('state', 'in', ['uploading', 'ready'])
      .forUpdate()
      .executeTakeFirst();
    if (!found?.expires_at) return { result: undefined, audit: null };
    if (found.expires_at.getTime() > Date.now()) {
      await enqueueJob(tx, { kind: EXPIRE_JOB, payload: { attachment: id }, runAt: found.expires_at });
      return { result: undefined, audit: null };
    }
    await removeFiles(tx, { ids: [id] });
    return { result: undefined, audit: { facilityId: found.facility_id, objectType: 'attachment', objectId: id } };
  });
};

/** The files first, then the row that knows of them: a process that dies in between begins again. */
function remove(files: FileStore): JobHandler {
  return async (payload, context) => {
    const { attachment: id } = Payload.parse(payload);
    const { db } = context;
    const found = await db
      .selectFrom('attachments')
      .select(['key', 'facility_id', 'message_id'])
      .where('id', '=', id)
      .where('state', '=', 'removing')
      .executeTakeFirst();
    if (found === undefined) return;
    const isBackedUp = await isBeingBackedUp(db);
    await createJobWrite(context)('chat.attachment.remove', async (tx) => {
      // A hold is placed before the file goes, or after: whoever places one is not answered meanwhile.
      await lockRetentionPolicy(tx, found.facility_id, 'share');
      if (found.message_id !== null && (await isHeld(tx, id))) return lookAgain(tx, id, DAY_MS);
      const isUnneeded = !(await isShared(tx, found.key));
      if (isUnneeded && isBackedUp) return lookAgain(tx, id, AFTER_BACKUP_MS);
      if (isUnneeded) await removeStored(files, found.key);
      // That a message had it stays known to the audit.
      if (found.message_id === null) await tx.deleteFrom('attachments').where('id', '=', id).execute();
      else await tx.updateTable('attachments').set({ state: 'removed' }).where('id', '=', id).execute();
      return { result: undefined, audit: { facilityId: found.facility_id, objectType: 'attachment', objectId: id } };
    });
  };
}

/** All that is stored under a key, whether it came that far or not. */
export async function removeStored(files: FileStore, key: string): Promise<void> {
  await files.removeUnfinished(partFile(key));
  for (const size of ATTACHMENT_SIZES) await files.remove(attachmentFile(key, size));
}

/** Under a legal hold its files are there for the record, and for nobody else. */
const DAY_MS = 86_400_000;
/** A backup that runs knows of them. */
const AFTER_BACKUP_MS = 10 * 60_000;

async function lookAgain(tx: DatabaseTransaction, id: string, afterMs: number) {
  const runAt = new Date(Date.now() + afterMs);
  await enqueueJob(tx, { kind: REMOVE_JOB, payload: { attachment: id }, runAt });
  return { result: undefined, audit: null };
}

const answers = typedRows<{ is_so: boolean }>({ is_so: 'boolean' });

async function isHeld(db: DatabaseTransaction, id: string): Promise<boolean> {
  const held = sql`
    select is_message_held(m) as is_so from attachments a join messages m on m.id = a.message_id where a.id = ${id}`;
  return (await answers.first(db, held))?.is_so ?? false;
}

/** Whether a forward still shows these files, or is held. No new one can begin to: the row that is copied is locked until it stands. */
async function isShared(db: DatabaseTransaction, key: string): Promise<boolean> {
  const shared = sql`
    select exists (
      select from attachments a left join messages m on m.id = a.message_id
      where a.key = ${key} and (a.state in ('uploading', 'ready') or a.state = 'removing' and is_message_held(m))
    ) as is_so`;
  return (await answers.first(db, shared))?.is_so ?? false;
}
