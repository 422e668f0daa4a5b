import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';

/** A person in a facility. */
export interface FacilityPerson {
  readonly facilityId: string;
  readonly userId: string;
}

/** The roles `r` that people `m.user_id` have in a facility. */
function rolesGiven(tx: DatabaseTransaction, facilityId: string) {
  return tx
    .selectFrom('memberships as m')
    .innerJoin('membership_roles as mr', 'mr.membership_id', 'm.id')
    .innerJoin('roles as r', 'r.id', 'mr.role_id')
    .where('m.facility_id', '=', facilityId)
    .where('m.ended_at', 'is', null);
}

/** The same as they hold now: not those of who is disabled. */
export function rolesHeld(tx: DatabaseTransaction, facilityId: string) {
  return rolesGiven(tx, facilityId).innerJoin('users as u', 'u.id', 'm.user_id').where('u.disabled_at', 'is', null);
}

/**
 * What a person may in a facility, read in this transaction, whatever the process remembers of them; nothing for who is no member or
 * is disabled, and in a facility that was deactivated.
 */
export async function findPermissions(
  tx: DatabaseTransaction,
  { facilityId, userId }: FacilityPerson,
): Promise<string[]> {
  const held = await rolesHeld(tx, facilityId)
    .innerJoin('facilities as f', (join) => join.onRef('f.id', '=', 'm.facility_id').on('f.deactivated_at', 'is', null))
    .select('r.permissions')
    .where('m.user_id', '=', userId)
    .execute();
  return [...new Set(held.flatMap(({ permissions }) => permissions))];
}

/** What a person's roles in a facility are for, also while their account is disabled or the facility deactivated: for who would take them away. */
export async function findGrantedPermissions(
  tx: DatabaseTransaction,
  { facilityId, userId }: FacilityPerson,
): Promise<string[]> {
  const given = await rolesGiven(tx, facilityId).select('r.permissions').where('m.user_id', '=', userId).execute();
  return [...new Set(given.flatMap(({ permissions }) => permissions))];
}

/** The members of a facility whose roles give them a permission, by their ids. */
export async function findPermitted(
  tx: DatabaseTransaction,
  { facilityId, permission }: { readonly facilityId: string; readonly permission: string },
): Promise<string[]> {
  const held = await rolesHeld(tx, facilityId)
    .select('m.user_id')
    .distinct()
    .where(sql<boolean>`${permission} = any(r.permissions)`)
    .orderBy('m.user_id')
    .execute();
  return held.map((row) => row.user_id);
}
