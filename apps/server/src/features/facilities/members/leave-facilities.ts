import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { Publication } from '#/platform/http/publish.ts';
import { lockMembers } from '../core/role-queries.ts';
import { endMembership, membershipRemoved } from './remove-member.ts';

interface FacilityLeft {
  readonly id: string;
  readonly changes: readonly Publication[];
}

/** Ends every membership of somebody who goes for good. The last person in charge of a facility cannot, and is told of which. */
export async function leaveFacilities(tx: DatabaseTransaction, userId: string): Promise<FacilityLeft[]> {
  const places = await tx
    .selectFrom('memberships')
    .select('facility_id')
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .orderBy('facility_id')
    .execute();
  for (const { facility_id } of places) await lockMembers(tx, facility_id);
  const [sole] = await findSoleFacilities(tx, userId);
  if (sole !== undefined) {
    throw new AppError('conflict', {
      message: `You are the last person who can manage the members of ${sole}. Give someone else that permission first.`,
    });
  }
  for (const { facility_id: facilityId } of places) await endMembership(tx, { facilityId, userId });
  // A number is a way to reach somebody: of all that was, it goes.
  await tx.updateTable('memberships').set({ phone: null }).where('user_id', '=', userId).execute();
  return places.map(({ facility_id: id }) => ({ id, changes: membershipRemoved({ facilityId: id, userId }) }));
}

const soleFacilities = typedRows<{ name: string }>({ name: 'string' });

/** The names of facilities in which this person, and nobody else with an account, can manage the members. */
export async function findSoleFacilities(db: Database | DatabaseTransaction, userId: string): Promise<string[]> {
  const query = sql`
    select f.name from facilities f
    join memberships own on own.facility_id = f.id and own.user_id = ${userId} and own.ended_at is null
    cross join lateral (
      select bool_or(m.user_id = ${userId}) as is_own, bool_or(m.user_id <> ${userId}) as is_others
      from memberships m
      join users u on u.id = m.user_id and u.disabled_at is null
      join membership_roles mr on mr.membership_id = m.id
      join roles r on r.id = mr.role_id and 'members.manage' = any(r.permissions)
      where m.facility_id = f.id and m.ended_at is null
    ) in_charge
    where in_charge.is_own and not in_charge.is_others
    order by f.name collate "und-x-icu", f.id`;
  return (await soleFacilities.read(db, query)).map(({ name }) => name);
}
