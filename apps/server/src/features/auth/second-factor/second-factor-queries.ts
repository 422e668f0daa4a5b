import type { SecondFactors } from '@wardline/contract/account/second-factor.ts';
import type { Selectable } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { TotpFactors } from '#/platform/db/types.ts';
import type { RecoveryCodes } from './recovery-codes.ts';

type Queryable = Database | DatabaseTransaction;

export type TotpRow = Pick<Selectable<TotpFactors>, 'secret' | 'new_secret'>;

export async function findTotp(db: Queryable, userId: string): Promise<TotpRow | undefined> {
  return db
    .selectFrom('totp_factors')
    .select(['secret', 'new_secret'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Whether a password alone does not sign this person in. */
export async function hasSecondFactor(db: Queryable, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('totp_factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return found !== undefined;
}

export async function getFactors(db: Queryable, userId: string): Promise<SecondFactors> {
  const row = await db
    .selectFrom('users as u')
    .leftJoin('totp_factors as t', 't.user_id', 'u.id')
    .select(['t.confirmed_at', 'u.has_short_password'])
    .select(({ selectFrom, fn }) =>
      selectFrom('recovery_codes as r')
        .select(fn.countAll<number>().as('count'))
        .whereRef('r.user_id', '=', 'u.id')
        .as('codes_left'),
    )
    .where('u.id', '=', userId)
    .executeTakeFirstOrThrow();
  return {
    totp_confirmed_at: row.confirmed_at?.toISOString() ?? null,
    recovery_codes_left: Number(row.codes_left ?? 0),
    has_short_password: row.has_short_password,
  };
}

/** One change of what an account signs in with at a time. */
export async function lockUser(tx: DatabaseTransaction, userId: string): Promise<boolean> {
  const held = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return held !== undefined;
}

/** Puts fresh codes in the place of all that were there. */
export async function replaceRecoveryCodes(
  tx: DatabaseTransaction,
  {
    userId,
    codes,
    hashOf,
  }: { readonly userId: string; readonly codes: readonly string[] } & Pick<RecoveryCodes, 'hashOf'>,
): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  const rows = codes.map((code) => ({ user_id: userId, code_hash: hashOf(userId, code) }));
  await tx.insertInto('recovery_codes').values(rows).execute();
}

export async function deleteRecoveryCodes(tx: DatabaseTransaction, userId: string): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

/** Takes the one use of a step; false where it, or a later one, was used before. */
export async function takeTotpStep(
  tx: DatabaseTransaction,
  { userId, secret, step }: { userId: string; secret: Buffer; step: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('totp_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('secret', '=', secret)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Takes the one use of a recovery code; of many at the same moment one gets it. */
export async function takeRecoveryCode(
  tx: DatabaseTransaction,
  { userId, hash }: { userId: string; hash: Buffer },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export const FACTOR_CHANGES = [
  'app_added',
  'app_removed',
  'recovery_codes_renewed',
  'recovery_code_used',
  'passkey_added',
  'passkey_removed',
  'provider_linked',
  'provider_unlinked',
  'all_reset',
  'all_reset_with_password',
] as const;
/** What the owner of an account is told about its second factors. */
export type FactorChange = (typeof FACTOR_CHANGES)[number];

/** Tells the owner of the account by mail. */
export function factorChangeJob(userId: string, change: FactorChange) {
  return { kind: 'auth.second_factor', payload: { user_id: userId, change } };
}
