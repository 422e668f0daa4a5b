import type { Role } from '@wardline/contract/facilities/invitations.ts';
import { canGrant } from '@wardline/contract/permissions.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { type FacilityPerson, findPermissions } from '#/platform/http/authorization/find-permissions.ts';
import { findRoles } from './queries.ts';

/** What somebody has to give in a facility. */
export interface Giving {
  readonly mayInvite: boolean;
  readonly roles: readonly Role[];
  /** Why these roles cannot be given, in words; null where they can. */
  refusalOf(roleIds: readonly string[]): string | null;
}

/** Reads rights and roles anew: they may have ended since the request began. The roles are held until they are given. */
export async function readGiving(tx: DatabaseTransaction, person: FacilityPerson): Promise<Giving> {
  const { facilityId } = person;
  const own = await findPermissions(tx, person);
  await tx.selectFrom('roles').select('id').where('facility_id', '=', facilityId).forKeyShare().execute();
  const roles = await findRoles(tx, facilityId);
  const byId = new Map(roles.map((role) => [role.id, role]));
  return {
    mayInvite: own.includes('members.manage'),
    roles,
    refusalOf(roleIds) {
      for (const id of roleIds) {
        const role = byId.get(id);
        if (!role) return 'This role is not one of the facility.';
        if (!canGrant(own, role.permissions)) {
          return `You can’t grant ${role.name}: it has permissions you don’t have.`;
        }
      }
      return null;
    },
  };
}
