import type { Permission } from '@wardline/contract/permissions.ts';
import { type SqlBool, sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { type FacilityPerson, findPermissions, rolesHeld } from '#/platform/http/authorization/find-permissions.ts';

/** Lets only one transaction at a time change who belongs to the facility. */
export async function lockMembers(tx: DatabaseTransaction, facilityId: string): Promise<void> {
  await tx.selectFrom('facilities').select('id').where('id', '=', facilityId).forNoKeyUpdate().execute();
}

/**
 * What one may oneself, read while nobody else changes rights in the facility. Somebody may have taken the right to act from them while
 * the request waited for its turn: then 403.
 */
export async function lockAndFindOwn(
  tx: DatabaseTransaction,
  own: FacilityPerson,
  needed: Permission = 'members.manage',
): Promise<string[]> {
  await lockMembers(tx, own.facilityId);
  const permissions = await findPermissions(tx, own);
  if (!permissions.includes(needed)) throw new AppError('forbidden');
  return permissions;
}

export async function findRole(
  tx: DatabaseTransaction,
  { facilityId, roleId }: { facilityId: string; roleId: string },
) {
  const found = tx.selectFrom('roles').select(['name', 'permissions']).where('id', '=', roleId);
  return found.where('facility_id', '=', facilityId).executeTakeFirst();
}

/** After a change of rights: refuses one that leaves nobody who can manage the members. */
export async function mustKeepSomebodyInCharge(
  tx: DatabaseTransaction,
  facilityId: string,
  message = 'This is the last person who can manage the members. Give someone else that permission first.',
): Promise<void> {
  const inCharge = await rolesHeld(tx, facilityId)
    .select('m.user_id')
    .where(sql<SqlBool>`'members.manage' = any(r.permissions)`)
    .limit(1)
    .executeTakeFirst();
  if (inCharge) return;
  throw new AppError('conflict', { message });
}
