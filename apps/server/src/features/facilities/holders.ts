import { type SqlBool, sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';

/** Lets only one transaction at a time change who belongs to the facility. */
export async function lockMembers(tx: DatabaseTransaction, facilityId: string): Promise<void> {
  await tx.selectFrom('facilities').select('id').where('id', '=', facilityId).forNoKeyUpdate().execute();
}

/** The people with this right in the facility whose accounts are not disabled. */
export async function findHolders(
  tx: DatabaseTransaction,
  { facilityId, permission }: { facilityId: string; permission: string },
): Promise<string[]> {
  const holders = await tx
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .innerJoin('membership_roles as mr', 'mr.membership_id', 'm.id')
    .innerJoin('roles as r', 'r.id', 'mr.role_id')
    .select('m.user_id')
    .distinct()
    .where('m.facility_id', '=', facilityId)
    .where('m.ended_at', 'is', null)
    .where('u.disabled_at', 'is', null)
    .where(sql<SqlBool>`${permission} = any(r.permissions)`)
    .execute();
  return holders.map((holder) => holder.user_id);
}
