import { sql } from 'kysely';
import { requireRight } from '#/features/census/core/require-facility.ts';
import type { Database } from '#/platform/db/database.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { Action } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { CensusFacility } from './current-config-queries.ts';

interface InFacility {
  readonly facilityId: string;
}

/** The facility for somebody who may do this there. */
export async function requireCensus(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  facilityId: string,
  wanted: Action<InFacility>,
): Promise<CensusFacility> {
  requireRight(actor, facilityId, wanted);
  const facility = await findCensusFacility(db, facilityId);
  if (!facility) throw new AppError('not_found');
  return facility;
}

export async function findCensusFacility(db: Database, facilityId: string): Promise<CensusFacility | undefined> {
  const found = await sql<CensusFacility>`
    select c.facility_no, c.denominator, c.target_percent, c.high_percent, c.full_percent, c.boarding_hours,
      (select json_agg(json_build_object('from_date', h.from_date, 'time_zone', h.time_zone,
          'census_time', to_char(h.census_time, 'HH24:MI'), 'grace_minutes', h.grace_minutes) order by h.from_date desc)
        from census_hours h where h.facility_no = c.facility_no) as clocks
    from census_facilities c where c.facility_id = ${facilityId}`.execute(db);
  return found.rows[0];
}
