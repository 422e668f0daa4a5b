import { randomBytes } from 'node:crypto';
import { COPIES_A_DAY, type DataCopy } from '@wardline/contract/account/own-data.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { newId } from '#/platform/new-id.ts';
import { copyColumns, toDataCopy } from './copy-queries.ts';

export const COPY_JOB = 'own_data.make';
export const COPY_MAIL_JOB = 'own_data.ready_mail';

const DAY_MS = 24 * 60 * 60_000;

/** Puts a copy of one's own data into the queue. Texts of messages are asked for where one is let in by this session. */
export async function requestDataCopy({ actor, write }: RequestContext): Promise<DataCopy> {
  const { userId } = actor;
  return write('own_data.request', async (tx) => {
    await mustBeFew(tx, userId);
    const made = await tx
      .insertInto('own_data_copies')
      .values({
        id: newId(),
        user_id: userId,
        key: randomBytes(16).toString('base64url'),
        text_facility_ids: actor.memberships.map(({ facilityId }) => facilityId),
      })
      .returning(copyColumns)
      .executeTakeFirstOrThrow();
    await enqueueJob(tx, { kind: COPY_JOB, payload: { copy_id: made.id } });
    return {
      result: toDataCopy(made),
      audit: { objectType: 'data_copy', objectId: made.id },
    };
  });
}

/** So many in a day, counted while nobody else asks for the same person. */
async function mustBeFew(tx: DatabaseTransaction, userId: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const recent = await tx
    .selectFrom('own_data_copies')
    .select('requested_at')
    .where('user_id', '=', userId)
    .where('requested_at', '>', sql<Date>`now() - interval '1 day'`)
    .orderBy('requested_at', 'desc')
    .limit(COPIES_A_DAY)
    .execute();
  const oldest = recent.at(-1);
  if (oldest === undefined || recent.length < COPIES_A_DAY) return;
  throw new AppError('too_many_requests', {
    message: `You can ask for ${COPIES_A_DAY} copies in 24 hours.`,
    retryAfterS: Math.max(1, Math.ceil((oldest.requested_at.getTime() + DAY_MS - Date.now()) / 1000)),
  });
}
