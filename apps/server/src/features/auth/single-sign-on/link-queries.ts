import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';

type Queryable = Database | DatabaseTransaction;

export interface Subject {
  readonly issuer: string;
  readonly subject: string;
}

/** Whose account this person at a provider is. */
export async function findLinked(db: Queryable, { issuer, subject }: Subject): Promise<string | null> {
  const found = await db
    .selectFrom('sso_links')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return found?.user_id ?? null;
}

/** Who this account is at a provider. */
export async function findSubject(db: Queryable, userId: string, issuer: string): Promise<string | null> {
  const found = await db
    .selectFrom('sso_links')
    .select('subject')
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .executeTakeFirst();
  return found?.subject ?? null;
}

/** The account with this address, and whether its owner has shown that it is theirs. */
export async function findByAddress(db: Queryable, email: string, issuer: string) {
  const found = await db
    .selectFrom('users as u')
    .leftJoin('sso_links as l', (join) => join.onRef('l.user_id', '=', 'u.id').on('l.issuer', '=', issuer))
    .select(['u.id', 'u.email_verified_at', 'l.subject'])
    .where('u.email', '=', email)
    .executeTakeFirst();
  if (!found) return null;
  return { userId: found.id, isVerified: found.email_verified_at !== null, isTaken: found.subject !== null };
}

/** False where this person, or this account, has been linked otherwise meanwhile. */
export async function insertLink(
  tx: DatabaseTransaction,
  userId: string,
  { issuer, subject }: Subject,
): Promise<boolean> {
  const made = await tx
    .insertInto('sso_links')
    .values({ issuer, subject, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (made.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Holds the link until the end of the transaction; false where it was removed since. */
export async function noteLinkUse(
  tx: DatabaseTransaction,
  userId: string,
  { issuer, subject }: Subject,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sso_links')
    .set({ last_used_at: sql`now()` })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteLink(tx: DatabaseTransaction, userId: string, issuer: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sso_links')
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
