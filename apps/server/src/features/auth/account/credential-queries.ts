import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';

export interface Account {
  id: string;
  password_hash: string;
}

export async function findAccount(db: Database, email: string): Promise<Account | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('email', '=', email)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
}

/** Holds the account until the end of the transaction; false when it was disabled or its password changed since. */
export async function lockAccount(tx: DatabaseTransaction, account: Account): Promise<boolean> {
  const held = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', account.id)
    .where('password_hash', '=', account.password_hash)
    .where('disabled_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return held !== undefined;
}

/** False when there was no such session or token. */
export async function endCredential(
  tx: DatabaseTransaction,
  kind: 'session' | 'token',
  hash: Buffer,
): Promise<boolean> {
  const deletion =
    kind === 'session'
      ? tx.deleteFrom('sessions').where('id_hash', '=', hash)
      : tx.deleteFrom('access_tokens').where('token_hash', '=', hash);
  const { numDeletedRows } = await deletion.executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Lets only one transaction at a time give an address to an account, whoever has it now. */
export async function lockAddress(tx: DatabaseTransaction, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`address ${email}`}, 0))`.execute(tx);
}

interface NewUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly password_hash: string;
  readonly is_operator?: boolean;
}

/** An account whose address is verified. False where the address has one already. */
export async function insertUser(tx: DatabaseTransaction, user: NewUser): Promise<boolean> {
  await lockAddress(tx, user.email);
  const made = await tx
    .insertInto('users')
    .values({ ...user, email_verified_at: sql`now()`, password_changed_at: sql`now()` })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst();
  return (made.numInsertedOrUpdatedRows ?? 0n) > 0n;
}
