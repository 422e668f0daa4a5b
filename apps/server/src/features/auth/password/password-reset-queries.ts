import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';

const LINK_LIFETIME_S = 30 * 60;
const LINKS_PER_HOUR = 3;

export interface NewResetLink {
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

/** Takes the force of a person's links. */
export async function voidResetLinks(tx: DatabaseTransaction, userId: string): Promise<void> {
  await tx
    .updateTable('password_resets')
    .set({ expires_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .execute();
}

export interface ResetAccount {
  readonly id: string;
  readonly name: string;
  readonly facility_names: string[];
}

const resetAccounts = typedRows<ResetAccount>({ id: 'string', name: 'string', facility_names: 'array' });

/** Takes the one use of a link. Of many at the same moment one gets it; the others wait for it and get nothing. */
export async function takeResetLink(
  tx: DatabaseTransaction,
  { tokenHash, email }: { tokenHash: Buffer; email: string },
): Promise<ResetAccount | undefined> {
  const query = sql`
    delete from password_resets r using users u
    where r.token_hash = ${tokenHash} and r.expires_at > now()
      and u.id = r.user_id and u.email = ${email} and u.disabled_at is null
    returning u.id, u.name, array(
      select f.name from memberships m join facilities f on f.id = m.facility_id
      where m.user_id = u.id and m.ended_at is null) as facility_names`;
  return resetAccounts.first(tx, query);
}
