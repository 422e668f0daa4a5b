import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';

/**
 * The path of a new set-up link, which takes the place of the one before; null once the installation is set up. The token
 * stands in the fragment, which no browser sends to any server.
 */
export async function makeSetUpLink(db: Database): Promise<string | null> {
  const token = randomBytes(32).toString('base64url');
  const { numUpdatedRows } = await db
    .updateTable('installation')
    .set({ set_up_token_hash: hashSecret(token) })
    .where('set_up_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? `/setup#${token}` : null;
}

/** Whether this is the token of the standing link. */
export async function isSetUpToken(db: Database, token: string): Promise<boolean> {
  const found = db.selectFrom('installation').select('id').where('set_up_token_hash', '=', hashSecret(token));
  return (await found.where('set_up_at', 'is', null).executeTakeFirst()) !== undefined;
}

/** Closes the set-up for good. Of many at the same moment one gets true; the others wait for it and get false. */
export async function takeSetUpToken(tx: DatabaseTransaction, token: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('installation')
    .set({ set_up_at: sql`now()`, set_up_token_hash: null })
    .where('set_up_token_hash', '=', hashSecret(token))
    .where('set_up_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
