import { sql } from 'kysely';
import { endCredentialsOf, keysOf } from '#/features/auth/sessions/end-sessions.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Transaction } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';

interface Replacement {
  readonly userId: string;
  readonly hash: string;
  /** Too short to stand alone. */
  readonly isShort: boolean;
  /** The session that goes on. */
  readonly keep: Buffer | null;
}

/** Sets the password, ends what was signed in with the old one and has the person told. Returns the ended keys. */
export async function replacePassword(
  tx: Transaction,
  { userId, hash, isShort, keep }: Replacement,
): Promise<string[]> {
  await setPassword(tx, { userId, hash, isShort });
  const ended = await endCredentialsOf(tx, { userId, keep });
  await enqueueJob(tx, { kind: 'auth.password_changed', payload: { user_id: userId } });
  return keysOf(ended);
}

async function setPassword(
  tx: DatabaseTransaction,
  { userId, hash, isShort }: Omit<Replacement, 'keep'>,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_hash: hash, has_short_password: isShort, password_changed_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', userId)
    .execute();
}
