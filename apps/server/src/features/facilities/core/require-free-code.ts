import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { invalidField } from '#/platform/http/app-error.ts';

/**
 * Refuses a short name that another facility has, also one that is closed: it may be opened again. Names that facility
 * to whoever may see it.
 */
export async function requireFreeCode(
  tx: DatabaseTransaction,
  { code, facilityId }: { readonly code: string; readonly facilityId: string },
): Promise<void> {
  // Of two who take it at the same moment the second waits, and sees it.
  await sql`select pg_advisory_xact_lock(hashtext('facilities.code'))`.execute(tx);
  const others = tx.selectFrom('facilities').where('code', '=', code).where('id', '<>', facilityId);
  const holder = await asSystem('membership', () => others.select('id').limit(1).executeTakeFirst());
  if (!holder) return;
  const seen = await tx.selectFrom('facilities').select('name').where('id', '=', holder.id).executeTakeFirst();
  throw invalidField('code', `${seen?.name ?? 'Another facility'} has this short name already.`);
}
