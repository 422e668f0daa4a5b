import type { SystemFacility } from '@wardline/contract/facilities/system-facilities.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { acrossFacilities } from '#/platform/db/stated-actor.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { AppError } from '#/platform/http/app-error.ts';

type FacilityRow = Omit<SystemFacility, 'deactivated_at'> & { readonly deactivated_at: Date | null };

const facilities = typedRows<FacilityRow>({
  ...{ id: 'string', version: 'number', name: 'string', code: 'string', time_zone: 'string' },
  ...{ people_count: 'number', unit_count: 'number', administrator_count: 'number' },
  deactivated_at: 'date?',
});

/** The order of people, not of bytes. */
export const byName = sql`f.name collate "und-x-icu", f.id`;

/** Facilities of `which`, with the people and units they have now. */
export async function findFacilities(
  db: Database | DatabaseTransaction,
  which: RawBuilder<unknown>,
): Promise<SystemFacility[]> {
  const query = sql`
    with page as (select f.* from facilities f ${which})
    select f.id, f.version, f.name, f.code, f.time_zone, f.deactivated_at,
      (select count(*)::integer from memberships m join users u on u.id = m.user_id and u.disabled_at is null
        where m.facility_id = f.id and m.ended_at is null) as people_count,
      (select count(*)::integer from units n where n.facility_id = f.id) as unit_count,
      (select count(distinct m.user_id)::integer from memberships m join users u on u.id = m.user_id and u.disabled_at is null
        join membership_roles mr on mr.membership_id = m.id join roles r on r.id = mr.role_id
        where m.facility_id = f.id and m.ended_at is null and 'members.manage' = any(r.permissions)) as administrator_count
    from page f order by ${byName}`;
  const rows = await acrossFacilities(() => facilities.read(db, query));
  return rows.map((row) => ({ ...row, deactivated_at: row.deactivated_at?.toISOString() ?? null }));
}

export async function getFacility(tx: DatabaseTransaction, id: string): Promise<SystemFacility> {
  const [facility] = await findFacilities(tx, sql`where f.id = ${id}`);
  if (!facility) throw new AppError('not_found');
  return facility;
}
