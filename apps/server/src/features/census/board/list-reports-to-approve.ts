import type { listReportsToApprove as endpoint, ReportsToApprove } from '@wardline/contract/census/unit.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { hasPermission } from '#/platform/http/actor.ts';
import type { RequestContext } from '#/platform/http/context.ts';

const MOST_DATES = 100;

/** What waits for this person's approval: one's own reports only where a facility does not ask for four eyes. */
export async function listReportsToApprove({ actor, db }: RequestContext): Promise<ReplyOf<typeof endpoint>> {
  const having = (permission: 'census.approve' | 'census.report_summary') =>
    actor.memberships.map(({ facilityId }) => facilityId).filter((id) => hasPermission(actor, id, permission));
  const [approving, compiling] = [having('census.approve'), having('census.report_summary')];
  if (approving.length + compiling.length === 0) return { data: [] };
  return { data: await findWaiting(db, { userId: actor.userId, approving, compiling }) };
}

interface Wanted {
  readonly userId: string;
  /** Where the person approves by that permission, and where by the summary's unless it is split off. */
  readonly approving: readonly string[];
  readonly compiling: readonly string[];
}

async function findWaiting(db: Database, { userId, approving, compiling }: Wanted): Promise<ReportsToApprove[]> {
  const found = await sql<ReportsToApprove>`
    select f.facility_id, c.census_date, d.time_zone,
      json_agg(json_build_object('unit_id', u.unit_id, 'unit_code', n.code, 'population', c.population)
        order by n.position, n.name collate "und-x-icu", u.unit_no, c.population) as reports
    from census_facilities f
    join unit_census c on c.facility_no = f.facility_no and c.status = 'submitted'
    join census_units u on u.unit_no = c.unit_no and u.counts_in_census
    join units n on n.id = u.unit_id
    join facility_days d on d.facility_no = c.facility_no and d.census_date = c.census_date
    cross join lateral (select h.four_eyes from census_hours h
      where h.facility_no = f.facility_no and h.from_date <= c.census_date order by h.from_date desc limit 1) h
    where (f.facility_id = any(${[...approving]}::uuid[])
        or f.facility_id = any(${[...compiling]}::uuid[]) and not 'census.approve' = any(f.split_permissions))
      and d.status in ('open', 'reopened') and not (h.four_eyes and c.submitted_by = ${userId})
    group by f.facility_id, c.census_date, d.time_zone
    order by c.census_date, f.facility_id limit ${MOST_DATES}`.execute(db);
  return found.rows;
}
