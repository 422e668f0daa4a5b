import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { requireZone } from '#/platform/http/require-zone.ts';
import { newId } from '#/platform/new-id.ts';
import { requireFreeCode } from './core/require-free-code.ts';
import { SHIPPED_ROLES, type ShippedRole } from './roles/shipped-roles.ts';

export interface NewFacility {
  readonly name: string;
  readonly code: string;
  readonly timeZone: string;
  /** HH:MM. */
  readonly censusTime: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** A facility with the shipped roles and no units; its census begins with it. */
export async function makeFacility(
  tx: DatabaseTransaction,
  { name, code, timeZone, censusTime, latitude, longitude }: NewFacility,
): Promise<{ readonly facilityId: string }> {
  await requireZone(tx, timeZone);
  const facilityId = newId();
  await requireFreeCode(tx, { code, facilityId });
  const facility = { id: facilityId, name, code, time_zone: timeZone, latitude, longitude };
  await tx.insertInto('facilities').values(facility).execute();
  // By a trigger its census has begun, at midnight until somebody says when.
  await sql`
    update census_hours set census_time = ${censusTime}
    from census_facilities c where c.facility_no = census_hours.facility_no and c.facility_id = ${facilityId}`.execute(
    tx,
  );
  const roles = Object.values(SHIPPED_ROLES).map((role) => ({
    id: newId(),
    facility_id: facilityId,
    name: role.name,
    permissions: [...role.permissions],
  }));
  await tx.insertInto('roles').values(roles).execute();
  return { facilityId };
}

/** Makes somebody a member of a new facility with one of its shipped roles. */
export async function admitWithRole(
  tx: DatabaseTransaction,
  { facilityId, userId, role }: { facilityId: string; userId: string; role: ShippedRole },
): Promise<void> {
  const membershipId = newId();
  await tx.insertInto('memberships').values({ id: membershipId, facility_id: facilityId, user_id: userId }).execute();
  await sql`
    insert into membership_roles (membership_id, role_id, facility_id)
    select ${membershipId}, id, facility_id from roles
    where facility_id = ${facilityId} and name = ${SHIPPED_ROLES[role].name}`.execute(tx);
}
