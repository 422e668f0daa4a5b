import type { Account } from '@wardline/contract/account/account.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';

export interface AccountRow {
  email: string;
  email_verified_at: Date | null;
  pending_email: string | null;
  password_changed_at: Date | null;
}

/** What only the person sees of the own account. */
export async function getAccountRow(db: Database | DatabaseTransaction, userId: string): Promise<AccountRow> {
  return db
    .selectFrom('users as u')
    .leftJoin('email_changes as c', (join) =>
      join.onRef('c.user_id', '=', 'u.id').on('c.expires_at', '>', sql<Date>`now()`),
    )
    .select(['u.email', 'u.email_verified_at', 'c.email as pending_email', 'u.password_changed_at'])
    .where('u.id', '=', userId)
    .executeTakeFirstOrThrow();
}

/** Forgets the address that waits to be verified. False when none waits. */
export async function deleteEmailChange(tx: DatabaseTransaction, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('email_changes').where('user_id', '=', userId).executeTakeFirst();
  return numDeletedRows > 0n;
}

export function toAccount(row: AccountRow): Account {
  return {
    ...row,
    email_verified_at: row.email_verified_at?.toISOString() ?? null,
    password_changed_at: row.password_changed_at?.toISOString() ?? null,
  };
}

/** Takes the force of a person's links. */
export async function voidResetLinks(tx: DatabaseTransaction, userId: string): Promise<void> {
  await tx
    .updateTable('password_resets')
    .set({ expires_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .execute();
}

const LINK_LIFETIME_S = 30 * 60;

const LINKS_PER_HOUR = 3;

interface NewResetLink {
  readonly jobId: string;
  readonly userId: string;
  readonly tokenHash: Buffer;
}

/**
 * Gives a link its force and takes that of the person's older ones. False when three were mailed within the hour. A job
 * that runs twice replaces its own link.
 */
export async function issueResetLink(tx: DatabaseTransaction, link: NewResetLink): Promise<boolean> {
  const { jobId, userId, tokenHash } = link;
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const others = await tx
    .selectFrom('password_resets')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('job_id', '<>', jobId)
    .where('created_at', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow();
  if (others.count >= LINKS_PER_HOUR) return false;
  await voidResetLinks(tx, userId);
  const expiresAt = sql<Date>`now() + make_interval(secs => ${LINK_LIFETIME_S})`;
  await tx
    .insertInto('password_resets')
    .values({ job_id: jobId, user_id: userId, token_hash: tokenHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('job_id').doUpdateSet({ token_hash: tokenHash, expires_at: expiresAt }))
    .execute();
  return true;
}
