import { sql } from 'kysely';
import { endCredentialsOf, keysOf } from '#/features/auth/sessions/end-sessions.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Transaction } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';

interface Replacement {
  readonly userId: string;
  readonly hash: string;
  /** The session that goes on. */
  readonly keep: Buffer | null;
}

/** Sets the password, ends what was signed in with the old one and has the person told. Returns the ended keys. */
export async function replacePassword(tx: Transaction, { userId, hash, keep }: Replacement): Promise<string[]> {
  await setPassword(tx, userId, hash);
  const ended = await endCredentialsOf(tx, { userId, keep });
  await enqueueJob(tx, { kind: 'auth.password_changed', payload: { user_id: userId } });
  return keysOf(ended);
}

async function setPassword(tx: DatabaseTransaction, userId: string, hash: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_hash: hash, password_changed_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', userId)
    .execute();
}
