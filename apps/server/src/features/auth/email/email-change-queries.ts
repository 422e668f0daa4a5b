import { sql } from 'kysely';

import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';

const LIFETIME_S = 24 * 60 * 60;

export async function putEmailChange(
  tx: DatabaseTransaction,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  const times = { created_at: sql<Date>`now()`, expires_at: sql<Date>`now() + make_interval(secs => ${LIFETIME_S})` };
  await tx
    .insertInto('email_changes')
    .values({ user_id: userId, email, ...times })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ email, ...times }))
    .execute();
}

/** Gives the address that waits another day, if one does. */
export async function extendEmailChange(tx: DatabaseTransaction, userId: string): Promise<void> {
  await tx
    .updateTable('email_changes')
    .set({ expires_at: sql`now() + make_interval(secs => ${LIFETIME_S})` })
    .where('user_id', '=', userId)
    .execute();
}

export interface AddressToVerify {
  readonly user_id: string;
  /** The one that counts now. */
  readonly current_email: string;
  /** The one to be verified: another, or the current one while it is not verified. */
  readonly email: string;
  readonly expires_at: Date;
  /** Somebody else's account has it. */
  readonly is_taken: boolean;
}

const addressesToVerify = typedRows<AddressToVerify>({
  user_id: 'string',
  current_email: 'string',
  email: 'string',
  expires_at: 'date',
  is_taken: 'boolean',
});

/** The address that a link is to verify; undefined when all is verified. */
export async function findAddressToVerify(db: Database, userId: string): Promise<AddressToVerify | undefined> {
  const query = sql`
    select u.id as user_id, u.email as current_email, coalesce(c.email, u.email) as email,
      coalesce(c.expires_at, now() + make_interval(secs => ${LIFETIME_S})) as expires_at,
      exists (select from users o where o.email = c.email and o.id <> u.id) as is_taken
    from users u left join email_changes c on c.user_id = u.id and c.expires_at > now()
    where u.id = ${userId} and u.disabled_at is null
      and (c.user_id is not null or u.email_verified_at is null)`;
  return addressesToVerify.first(db, query);
}
