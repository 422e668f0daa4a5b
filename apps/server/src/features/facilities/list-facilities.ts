import type { Facility } from '@wardline/contract/facilities.ts';
import { membershipIn } from '#/platform/authorise/actor.ts';
import type { RequestContext } from '#/platform/context.ts';
import { findFacilities } from './queries.ts';

/** The facilities one belongs to, with one's own permissions in each. */
export async function listFacilities({
  actor,
  db,
}: Pick<RequestContext, 'actor' | 'db'>): Promise<{ data: Facility[] }> {
  const rows = await findFacilities(
    db,
    actor.memberships.map((membership) => membership.facilityId),
  );
  const data = rows.map((row) => ({
    ...row,
    permissions: [...(membershipIn(actor, row.id)?.permissions ?? [])].sort(),
  }));
  return { data };
}
