import type { DatabaseTransaction } from '#/platform/db/database.ts';

/**
 * Shared by what deletes, held alone by what changes what may be deleted: after either commits nothing goes by what was. A facility
 * that never set a rule has a row from its first lock on.
 */
export async function lockRetentionPolicy(
  tx: DatabaseTransaction,
  facilityId: string,
  strength: 'share' | 'update',
): Promise<void> {
  await tx
    .insertInto('retention_policies')
    .values({ facility_id: facilityId, version: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const held = tx.selectFrom('retention_policies').select('facility_id').where('facility_id', '=', facilityId);
  await (strength === 'share' ? held.forShare() : held.forUpdate()).execute();
}
