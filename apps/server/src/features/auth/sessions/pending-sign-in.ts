import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';

const LIFETIME_S = 10 * 60;

/** A sign-in whose password was right and whose second step is still to come. */
export interface PendingSignIn {
  readonly user_id: string;
  readonly email: string;
  readonly remember: boolean;
}

/** Waits in the browser that is given this session id, and in no other. */
export async function insertPendingSignIn(
  tx: DatabaseTransaction,
  { sessionId, userId, remember }: { sessionId: string; userId: string; remember: boolean },
): Promise<void> {
  await tx
    .insertInto('pending_sign_ins')
    .values({
      session_hash: hashSecret(sessionId),
      user_id: userId,
      remember,
      expires_at: sql`now() + make_interval(secs => ${LIFETIME_S})`,
    })
    .execute();
}

export async function findPendingSignIn(db: Database, sessionId: string): Promise<PendingSignIn | undefined> {
  return db
    .selectFrom('pending_sign_ins as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.user_id', 'u.email', 'p.remember'])
    .where('p.session_hash', '=', hashSecret(sessionId))
    .where('p.expires_at', '>', sql<Date>`now()`)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst();
}

/** Takes the one use; false where another request was faster, or the password changed meanwhile. */
export async function takePendingSignIn(tx: DatabaseTransaction, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('pending_sign_ins')
    .where('session_hash', '=', hashSecret(sessionId))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
