import { sql } from 'kysely';
import { deleteRecoveryCodes, factorChangeJob } from '#/features/auth/second-factor/second-factor-queries.ts';
import type { Transaction, Write } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { endCredentialsOf } from './end-sessions.ts';

export interface FactorReset {
  readonly name: string;
  /** Null where nothing was there to remove, and nothing was changed. */
  readonly removed: RemovedFactors | null;
}

interface RemovedFactors {
  readonly passkeys: number;
  readonly hadApp: boolean;
  readonly endedSessions: number;
  /** The password is too short to stand alone, so it opens nothing any more: a new one is set by the link of a mail. */
  readonly losesPassword: boolean;
}

/**
 * For whom has lost every second factor, by the operator, who has made sure that it is them: no app, passkey or recovery code
 * counts any more, and every session and token has ended. Null where nobody has the address; who has no second factor keeps all.
 */
export async function resetSecondFactors(
  write: Write,
  { email, unusableHash }: { readonly email: string; readonly unusableHash: string },
): Promise<FactorReset | null> {
  return write<FactorReset | null>('second_factor.reset', async (tx) => {
    const person = await tx
      .selectFrom('users')
      .select(['id', 'name'])
      .where('email', '=', email.toLowerCase())
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!person) return { result: null, audit: null };
    const { id: userId, name } = person;
    if (!(await hasFactors(tx, userId))) return { result: { name, removed: null }, audit: null };
    const { detail } = await resetFactorsOf(tx, { userId, unusableHash });
    return {
      result: { name, removed: detail },
      audit: { objectType: 'user', objectId: userId, detail: { ...detail } },
    };
  });
}

/** Whether there is anything that a reset takes: also a password that stands only beside a second factor. */
async function hasFactors(tx: Transaction, userId: string): Promise<boolean> {
  const found = await sql<{ has_any: boolean }>`
    select u.has_short_password
      or exists (select from totp_factors where user_id = u.id and confirmed_at is not null)
      or exists (select from passkeys where user_id = u.id)
      or exists (select from recovery_codes where user_id = u.id) as has_any
    from users u where u.id = ${userId}`.execute(tx);
  return found.rows[0]?.has_any ?? false;
}

/** The same within a transaction that holds the account, with the hashes of the sessions and tokens that ended. */
export async function resetFactorsOf(
  tx: Transaction,
  { userId, unusableHash }: { readonly userId: string; readonly unusableHash: string },
): Promise<{ readonly ended: readonly Buffer[]; readonly detail: RemovedFactors }> {
  const held = tx.selectFrom('users').select('has_short_password').where('id', '=', userId);
  const { has_short_password: losesPassword } = await held.executeTakeFirstOrThrow();
  const apps = await tx.deleteFrom('totp_factors').where('user_id', '=', userId).returning('confirmed_at').execute();
  const passkeys = await tx.deleteFrom('passkeys').where('user_id', '=', userId).returning('id').execute();
  await deleteRecoveryCodes(tx, userId);
  if (losesPassword) {
    const changed = { password_hash: unusableHash, has_short_password: false };
    await tx.updateTable('users').set(changed).where('id', '=', userId).execute();
  }
  const ended = await endCredentialsOf(tx, { userId, keep: null });
  await enqueueJob(tx, factorChangeJob(userId, losesPassword ? 'all_reset_with_password' : 'all_reset'));
  await enqueueJob(tx, { kind: 'auth.sessions_ended', payload: { user_id: userId } });
  const hadApp = apps.some(({ confirmed_at }) => confirmed_at !== null);
  return { ended, detail: { passkeys: passkeys.length, hadApp, endedSessions: ended.length, losesPassword } };
}
