import type { MailDigest } from '@wardline/contract/chat/notifications.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';

export const DIGEST_JOB = 'notifications.digest';

const DAILY_AT_HOUR = 7;

const dues = typedRows<{ due_at: Date }>({ due_at: 'date' });

/** The next full hour, or the next seven o'clock in the morning where the person works. */
async function nextDue(tx: DatabaseTransaction, userId: string, digest: 'hourly' | 'daily'): Promise<Date> {
  const query = sql`
    select case when ${digest} = 'hourly' then date_trunc('hour', now()) + interval '1 hour' else (
      select case when at > now() then at else (morning + interval '1 day') at time zone zone end
      from (
        select coalesce(min(f.time_zone), 'UTC') as zone from memberships m join facilities f on f.id = m.facility_id
        where m.user_id = ${userId} and m.ended_at is null
      ) places
      cross join lateral (select date_trunc('day', now() at time zone zone) + make_interval(hours => ${DAILY_AT_HOUR}) as morning) d
      cross join lateral (select morning at time zone zone as at) a
    ) end as due_at`;
  const found = await dues.first(tx, query);
  if (!found) throw new Error('the time of a digest has no row');
  return found.due_at;
}

/** Keeps what was chosen; where it is another choice than before, the next digest is made anew and counts from now on. */
export async function planDigest(
  tx: DatabaseTransaction,
  { userId, digest }: { readonly userId: string; readonly digest: MailDigest },
): Promise<void> {
  const dueAt = digest === 'off' ? null : await nextDue(tx, userId, digest);
  const changed = await tx
    .updateTable('notification_settings')
    .set({ mail_digest: digest, digest_due_at: dueAt, digest_since: dueAt === null ? null : sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('mail_digest', '<>', digest)
    .returning('user_id')
    .execute();
  if (dueAt !== null && changed.length > 0) await enqueueTurn(tx, userId, dueAt);
}

interface Turn {
  /** What was said since then is counted. */
  readonly since: Date;
}

/**
 * Takes the turn of a digest that is due, and puts the next one into the queue: in one transaction, so that no two servers
 * take the same, and whatever becomes of the mail, the next turn comes. Null where none is due.
 */
export async function takeTurn(tx: DatabaseTransaction, userId: string): Promise<Turn | null> {
  const found = await tx
    .selectFrom('notification_settings')
    .select(['mail_digest', 'digest_since'])
    .where('user_id', '=', userId)
    .where('digest_due_at', '<=', sql<Date>`now()`)
    .forUpdate()
    .executeTakeFirst();
  if (!found || found.mail_digest === 'off' || found.digest_since === null) return null;
  const dueAt = await nextDue(tx, userId, found.mail_digest === 'daily' ? 'daily' : 'hourly');
  await tx
    .updateTable('notification_settings')
    .set({ digest_due_at: dueAt, digest_since: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .execute();
  await enqueueTurn(tx, userId, dueAt);
  return { since: found.digest_since };
}

function enqueueTurn(tx: DatabaseTransaction, userId: string, dueAt: Date): Promise<void> {
  return enqueueJob(tx, { kind: DIGEST_JOB, payload: { user_id: userId }, runAt: dueAt });
}
