import type { Passkey } from '@wardline/contract/account/passkeys.ts';
import { type Selectable, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Passkeys } from '#/platform/db/types.ts';

type Row = Pick<Selectable<Passkeys>, 'id' | 'name' | 'created_at' | 'last_used_at'>;

export const SHOWN = ['id', 'name', 'created_at', 'last_used_at'] as const;

export function toPasskey(row: Row): Passkey {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

const CHALLENGE_LIFETIME_S = 5 * 60;

type Purpose = 'register' | 'sign_in' | 'confirm';

/** Keeps the challenge that this browser has to answer; one for a purpose, the newest. */
export async function putChallenge(
  db: Database,
  { sessionHash, purpose, challenge }: { sessionHash: Buffer; purpose: Purpose; challenge: string },
): Promise<void> {
  const fresh = { challenge, expires_at: sql<Date>`now() + make_interval(secs => ${CHALLENGE_LIFETIME_S})` };
  await db
    .insertInto('passkey_challenges')
    .values({ session_hash: sessionHash, purpose, ...fresh })
    .onConflict((conflict) => conflict.columns(['session_hash', 'purpose']).doUpdateSet(fresh))
    .execute();
}

/** Takes the one use of it, whatever comes of the answer; undefined where there is none, or it is late. */
export async function takeChallenge(
  db: Database,
  { sessionHash, purpose }: { sessionHash: Buffer; purpose: Purpose },
): Promise<string | undefined> {
  const taken = await db
    .deleteFrom('passkey_challenges')
    .where('session_hash', '=', sessionHash)
    .where('purpose', '=', purpose)
    .returning(['challenge', sql<boolean>`expires_at > now()`.as('is_in_time')])
    .executeTakeFirst();
  return taken?.is_in_time ? taken.challenge : undefined;
}

export interface UsedPasskey {
  readonly id: string;
  readonly user_id: string;
  readonly email: string;
  readonly credential_id: Buffer;
  readonly public_key: Buffer;
  readonly counter: number;
}

/** The passkey that a browser answered with, of somebody who is not disabled. */
export async function findPasskey(db: Database, credentialId: Buffer): Promise<UsedPasskey | undefined> {
  return db
    .selectFrom('passkeys as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.id', 'p.user_id', 'u.email', 'p.credential_id', 'p.public_key', 'p.counter'])
    .where('p.credential_id', '=', credentialId)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst();
}

/** Notes the use; false where it was removed, or another use has raised its counter since it was read. */
export async function notePasskeyUse(
  tx: DatabaseTransaction,
  { id, counter }: Pick<UsedPasskey, 'id' | 'counter'>,
  newCounter: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter: newCounter, last_used_at: sql`now()` })
    .where('id', '=', id)
    .where('counter', '=', counter)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
