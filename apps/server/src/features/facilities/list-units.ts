import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { listUnits as endpoint } from '@wardline/contract/facilities/facilities.ts';
import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { seeFacility } from './core/policy.ts';

/** The units of a facility in their order, for its members. */
export async function listUnits(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  { params }: { params: ParamsOf<typeof endpoint> },
): Promise<ReplyOf<typeof endpoint>> {
  const facilityId = params.facility;
  authorizeToKnow(actor, seeFacility, { facilityId });
  return { data: await findUnits(db, facilityId) };
}

async function findUnits(db: Database, facilityId: string) {
  return db
    .selectFrom('units')
    .select(['id', 'name', 'code', 'kind', 'position'])
    .where('facility_id', '=', facilityId)
    .orderBy('position')
    .orderBy(sql<string>`name collate "und-x-icu"`)
    .orderBy('id')
    .execute();
}
