import type { Permission } from '@wardline/contract/permissions.ts';
import type { Database } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { newId } from '#/platform/new-id.ts';
import { type MadeFacility, makeFacility, makeMembership, makeUnit } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';

/** 09:00 in Berlin: the newest census date is 19 November, due since 01:00. */
export const NOW = new Date('2026-11-20T08:00:00Z');

export interface Hospital {
  readonly db: Database;
  readonly facility: MadeFacility;
  /** Under which the database keeps it. */
  readonly facilityNo: number;
  /** Who reported and approved everything. */
  readonly reporter: string;
  /** Somebody with these permissions here and nothing elsewhere. */
  ask(...permissions: Permission[]): { readonly actor: Actor; readonly db: Database };
  /** A unit of the facility; units are listed in the order in which they were made. */
  unit(code: string): Promise<string>;
}

/** A new facility among those that are there already. */
export async function openHospital(db: Database): Promise<Hospital> {
  const facility = await makeFacility(db, { name: 'St. Brigid General', timeZone: 'Europe/Berlin' });
  const place = db.selectFrom('census_facilities').select('facility_no').where('facility_id', '=', facility.id);
  const { facility_no: facilityNo } = await place.executeTakeFirstOrThrow();
  const { id: reporter } = await makeUser(db, { name: 'Ana Reyes' });
  await makeMembership(db, { userId: reporter, facility, roles: ['chargeNurse'] });
  let position = 0;
  return {
    db,
    facility,
    facilityNo,
    reporter,
    ask: (...permissions) => ({ db, actor: actorIn(facility, permissions) }),
    unit: (code) => makeUnit(db, { facilityId: facility.id, name: `Unit ${code}`, code, position: position++ }),
  };
}

function actorIn(facility: MadeFacility, permissions: readonly Permission[]): Actor {
  const membership = {
    id: newId(),
    facilityId: facility.id,
    facilityName: facility.name,
    title: null,
    roles: [],
    permissions: new Set<string>(permissions),
  };
  return {
    userId: newId(),
    name: 'Ruth Adeyemi',
    email: 'ruth@people.test',
    emailVerifiedAt: null,
    isOperator: false,
    avatarKey: null,
    memberships: [membership],
    credential: { kind: 'session', key: 'a key', abilities: ['*'] },
  };
}
