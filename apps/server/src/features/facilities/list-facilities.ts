import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import type { Database } from '#/platform/db/database.ts';
import type { RequestContext } from '#/platform/http/context.ts';

/** The facilities one belongs to, the first joined first, with one's own permissions in each. */
export async function listFacilities({
  actor,
  db,
}: Pick<RequestContext, 'actor' | 'db'>): Promise<{ data: Facility[] }> {
  const rows = await findFacilities(
    db,
    actor.memberships.map((membership) => membership.facilityId),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const data = actor.memberships.flatMap(({ facilityId, permissions }) => {
    const row = byId.get(facilityId);
    return row ? [{ ...row, permissions: [...permissions].sort() }] : [];
  });
  return { data };
}

async function findFacilities(db: Database, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('facilities as f')
    .select(['f.id', 'f.name', 'f.code', 'f.time_zone', 'f.hour_cycle', 'f.date_order'])
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
    .$narrowType<Pick<Facility, 'hour_cycle' | 'date_order'>>()
    .execute();
}
