import type { Facility } from '@wardline/contract/facilities.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { findFacilities } from './queries.ts';

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
