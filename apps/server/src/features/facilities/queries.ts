import { type SqlBool, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';

/** The order of people, not of bytes; users_name_idx has it. */
const byName = sql<string>`u.name collate "und-x-icu"`;

export async function findFacilities(db: Database, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('facilities as f')
    .select(['f.id', 'f.name', 'f.code', 'f.time_zone'])
    .select((select) =>
      select
        .selectFrom('units')
        .whereRef('units.facility_id', '=', 'f.id')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .$asScalar()
        .$notNull()
        .as('unit_count'),
    )
    .where('f.id', 'in', ids)
    .execute();
}

export async function findUnits(db: Database, facilityId: string) {
  return db
    .selectFrom('units')
    .select(['id', 'name', 'code', 'kind', 'position'])
    .where('facility_id', '=', facilityId)
    .orderBy('position')
    .orderBy(sql<string>`name collate "und-x-icu"`)
    .orderBy('id')
    .execute();
}

export interface MemberPlace {
  readonly name: string;
  readonly userId: string;
}

/** Where a person stands in the order; only people who are or were of the facility have a place there. */
export async function findPlace(
  db: Database,
  { facilityId, userId }: { facilityId: string; userId: string },
): Promise<MemberPlace | undefined> {
  const found = await db
    .selectFrom('users as u')
    .select('u.name')
    .where('u.id', '=', userId)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('memberships').where('facility_id', '=', facilityId).whereRef('user_id', '=', 'u.id')),
    )
    .executeTakeFirst();
  return found && { name: found.name, userId };
}

export interface MemberPage {
  readonly facilityId: string;
  /** Part of a name, as it was typed. */
  readonly part: string;
  readonly after: MemberPlace | null;
  readonly limit: number;
}

export async function findMembers(db: Database, { facilityId, part, after, limit }: MemberPage) {
  let query = db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id as user_id', 'u.name', 'm.title', 'u.avatar_key'])
    .select(
      sql<string[]>`array(
        select r.name from membership_roles mr join roles r on r.id = mr.role_id
        where mr.membership_id = m.id order by r.name)`.as('roles'),
    )
    .where('m.facility_id', '=', facilityId)
    .where('m.ended_at', 'is', null)
    .where('u.disabled_at', 'is', null);
  if (part !== '') query = query.where('u.name', 'ilike', `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`);
  if (after) query = query.where(sql<SqlBool>`(${byName}, u.id) > (${after.name}, ${after.userId}::uuid)`);
  return query.orderBy(byName).orderBy('u.id').limit(limit).execute();
}

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

/** Ends the membership, and by the database's own trigger every place in the facility's chats. False when there is none. */
export async function endMembership(
  tx: DatabaseTransaction,
  { facilityId, userId }: { facilityId: string; userId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('memberships')
    .set({ ended_at: sql`now()` })
    .where('facility_id', '=', facilityId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
