import type { Account } from '@wardline/contract/account.ts';
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

export async function renameUser(tx: DatabaseTransaction, userId: string, name: string): Promise<void> {
  await tx.updateTable('users').set({ name, updated_at: sql`now()` }).where('id', '=', userId).execute();
}

export async function findPasswordHash(db: Database, userId: string): Promise<string | null> {
  const found = await db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst();
  return found?.password_hash ?? null;
}

export async function setPassword(tx: DatabaseTransaction, userId: string, hash: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_hash: hash, password_changed_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', userId)
    .execute();
}

/** Where to reach a person who is not disabled. */
export async function findEmail(db: Database, userId: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return found?.email;
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
