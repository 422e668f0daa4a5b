import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';

/** A file of people and the addresses that were mailed are kept for 30 days; their links are long over by then. */
export async function purgeImports(db: Database): Promise<void> {
  const isOld = sql<boolean>`created_at < now() - interval '30 days'`;
  await db.deleteFrom('invitation_imports').where(isOld).execute();
  await db.updateTable('invitations').set({ email: null }).where('email', 'is not', null).where(isOld).execute();
}
