import { setPassword } from '#/features/auth/account/account-queries.ts';
import { keysOf } from '#/features/auth/sessions/end-sessions.ts';
import { endCredentialsOf } from '#/features/auth/sessions/session-queries.ts';
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
