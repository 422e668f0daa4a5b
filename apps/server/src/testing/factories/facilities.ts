import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { SHIPPED_ROLES, type ShippedRole } from '#/features/facilities/index.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { newId } from '#/platform/new-id.ts';

type Queryable = Database | DatabaseTransaction;

export interface MadeFacility {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  /** Ids of the shipped roles as this facility has them. */
  readonly roles: Readonly<Record<ShippedRole, string>>;
}

export interface FacilityContext {
  readonly id?: string;
  readonly name?: string;
  readonly code?: string;
  readonly timeZone?: string;
}

const CODES = 36 ** 4;
let lastCode = randomInt(CODES);

/** A short name that no other facility of this process has. */
export function newFacilityCode(): string {
  lastCode = (lastCode + 1) % CODES;
  return lastCode.toString(36).padStart(4, '0').toUpperCase();
}

/** A facility with the shipped roles and no units, of a short name of its own unless said otherwise. */
export async function makeFacility(db: Queryable, options: FacilityContext = {}): Promise<MadeFacility> {
  const id = options.id ?? newId();
  const name = options.name ?? `Sample Hospital ${id.slice(-4)}`;
  const roles = {
    clinician: newId(),
    chargeNurse: newId(),
    censusOfficer: newId(),
    houseSupervisor: newId(),
    patientSystem: newId(),
    facilityAdministrator: newId(),
  } satisfies Record<ShippedRole, string>;
  const code = options.code ?? newFacilityCode();
  const facility = { id, name, code, time_zone: options.timeZone ?? 'Europe/Berlin' };
  await db.insertInto('facilities').values(facility).execute();
  const rows = (Object.keys(roles) as ShippedRole[]).map((role) => ({
    id: roles[role],
    facility_id: id,
    name: SHIPPED_ROLES[role].name,
    permissions: [...SHIPPED_ROLES[role].permissions],
  }));
  await db.insertInto('roles').values(rows).execute();
  return { id, name, code, roles };
}

export interface UnitOptions {
  readonly facilityId: string;
  readonly name: string;
  readonly code: string;
  readonly kind?: string;
  readonly position?: number;
  /** The first date on which it counts; without one, what it reports may lie in any past. */
  readonly activeFrom?: string;
}

/** A unit that always was, unless said otherwise. */
export async function makeUnit(db: Queryable, options: UnitOptions): Promise<string> {
  const id = newId();
  const { facilityId, name, code, kind = 'ward', position = 0, activeFrom = null } = options;
  await db.insertInto('units').values({ id, facility_id: facilityId, name, code, kind, position }).execute();
  await sql`update census_units set active = daterange(${activeFrom}, null) where unit_id = ${id}`.execute(db);
  return id;
}

export interface MembershipOptions {
  readonly userId: string;
  readonly facility: MadeFacility;
  readonly roles?: readonly ShippedRole[];
  readonly title?: string | null;
  readonly phone?: string | null;
}

/** Makes a person a member, with nothing but being there unless roles are given. Returns the membership's id. */
export async function makeMembership(db: Queryable, options: MembershipOptions): Promise<string> {
  const id = newId();
  const { userId, facility, roles = [], title = null, phone = null } = options;
  await db.insertInto('memberships').values({ id, facility_id: facility.id, user_id: userId, title, phone }).execute();
  for (const role of roles) {
    await db
      .insertInto('membership_roles')
      .values({ membership_id: id, role_id: facility.roles[role], facility_id: facility.id })
      .execute();
  }
  return id;
}
