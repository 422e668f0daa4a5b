import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';

/** A unit's month, whether hours are given for it or not. */
export interface NursingRow {
  readonly unit_id: string;
  readonly unit_code: string;
  readonly unit_name: string;
  /** YYYY-MM */
  readonly month: string;
  readonly version: number;
  readonly rn_hours: string | null;
  readonly other_hours: string | null;
  readonly note: string | null;
  readonly patient_days: number;
  readonly reports: number;
  readonly reports_expected: number;
  readonly entered_at: Date | null;
  readonly entered_by: { readonly id: string; readonly name: string } | null;
}

interface Wanted {
  readonly facilityNo: number;
  /** First days of the first and of the last month. */
  readonly first: string;
  readonly last: string;
  readonly unitNo?: number;
  /** Only units that this person reports for. */
  readonly assignedTo?: string | null;
}

/** Every month of every unit that was open in it; nurses of a place without beds of its own care for others than inpatients. */
export async function findNursingMonths(db: Database | DatabaseTransaction, wanted: Wanted): Promise<NursingRow[]> {
  const { facilityNo, first, last, unitNo, assignedTo = null } = wanted;
  const isWanted = sql`
    u.facility_no = ${facilityNo} and u.counts_in_census and u.counts_in_occupancy
    ${unitNo === undefined ? sql`` : sql`and u.unit_no = ${unitNo}`}
    ${assignedTo === null ? sql`` : sql`and u.unit_no in (select unit_no from census_assignments where user_id = ${assignedTo})`}`;
  const found = await sql<NursingRow>`
    with spans as (
      select m::date as month, daterange(m::date, (m + interval '1 month')::date) as span
      from generate_series(${first}::timestamp, ${last}::timestamp, interval '1 month') m),
    expected as (
      select k.unit_no, s.month, sum(upper(k.during * s.span) - lower(k.during * s.span))::integer as reports_expected
      from spans s join unit_populations k on k.facility_no = ${facilityNo} and k.during && s.span
      group by k.unit_no, s.month),
    reported as (
      select unit_no, month, sum(service_days)::integer as patient_days, sum(days_reported)::integer as reports
      from unit_months where facility_no = ${facilityNo} and month between ${first}::date and ${last}::date
      group by unit_no, month)
    select u.unit_id, n.code as unit_code, n.name as unit_name, to_char(e.month, 'YYYY-MM') as month,
      coalesce(h.version, 0) as version, h.rn_hours::text, h.other_hours::text, h.note,
      coalesce(r.patient_days, 0) as patient_days, coalesce(r.reports, 0) as reports, e.reports_expected,
      h.entered_at, case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end as entered_by
    from expected e
    join census_units u on u.unit_no = e.unit_no
    join units n on n.id = u.unit_id
    left join reported r on r.unit_no = e.unit_no and r.month = e.month
    left join nursing_hours h on h.unit_no = e.unit_no and h.month = e.month
    left join users p on p.id = h.entered_by
    where ${isWanted}
    order by n.position, n.name collate "und-x-icu", u.unit_no, e.month`.execute(db);
  return found.rows;
}
