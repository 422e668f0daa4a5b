import { ATTACHMENT_SIZES } from '@wardline/contract/attachments.ts';
import { Id } from '@wardline/contract/values.ts';
import * as z from 'zod/mini';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import { createJobWrite } from '#/platform/http/write.ts';
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
    .$if('ids' in which, (query) =>
      query.where('id', 'in', 'ids' in which ? [...which.ids] : []).where('message_id', 'is', null),
    )
    .$if('messageId' in which, (query) => query.where('message_id', '=', 'messageId' in which ? which.messageId : null))
    .returning('id')
    .execute();
  for (const { id } of rows) await enqueueJob(tx, { kind: REMOVE_JOB, payload: { attachment: id } });
  return rows.map(({ id }) => id);
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
    if (!(await isShared(db, found.key))) {
      await files.removeUnfinished(partFile(found.key));
      for (const size of ATTACHMENT_SIZES) await files.remove(attachmentFile(found.key, size));
    }
    await createJobWrite(context)('chat.attachment.remove', async (tx) => {
      // That a message had it stays known to the audit.
      if (found.message_id === null) await tx.deleteFrom('attachments').where('id', '=', id).execute();
      else await tx.updateTable('attachments').set({ state: 'removed' }).where('id', '=', id).execute();
      return { result: undefined, audit: { facilityId: found.facility_id, objectType: 'attachment', objectId: id } };
    });
  };
}

/** Whether a forward still shows these files. No new one can begin to: the row that is copied is locked until it stands. */
async function isShared(db: Database, key: string): Promise<boolean> {
  const other = await db
    .selectFrom('attachments')
    .select('id')
    .where('key', '=', key)
    .where('state', 'in', ['uploading', 'ready'])
    .executeTakeFirst();
  return other !== undefined;
}
