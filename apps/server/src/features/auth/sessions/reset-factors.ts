import { deleteRecoveryCodes, factorChangeJob } from '#/features/auth/second-factor/second-factor-queries.ts';
import type { Write } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { endCredentialsOf } from './end-sessions.ts';

export interface FactorReset {
  readonly name: string;
  readonly passkeys: number;
  readonly hadApp: boolean;
  readonly endedSessions: number;
  /** The password is too short to stand alone, so it opens nothing any more: a new one is set by the link of a mail. */
  readonly losesPassword: boolean;
}

/**
 * For whom has lost every second factor, by the operator, who has made sure that it is them: no app, passkey or recovery code
 * counts any more, and every session and token has ended. Null where nobody has the address.
 */
export async function resetSecondFactors(
  write: Write,
  { email, unusableHash }: { readonly email: string; readonly unusableHash: string },
): Promise<FactorReset | null> {
  return write('second_factor.reset', async (tx) => {
    const person = await tx
      .selectFrom('users')
      .select(['id', 'name', 'has_short_password'])
      .where('email', '=', email.toLowerCase())
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!person) return { result: null, audit: null };
    const { id: userId, name, has_short_password: losesPassword } = person;
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
    const done = { passkeys: passkeys.length, hadApp, endedSessions: ended.length, losesPassword };
    return {
      result: { name, ...done },
      audit: { objectType: 'user', objectId: userId, detail: { ...done } },
    };
  });
}
