import type { Population } from '@wardline/contract/census/census.ts';
import type { FacilityDayStatus } from '@wardline/contract/census/day.ts';
import { sql } from 'kysely';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import type { Database } from '#/platform/db/database.ts';

/** The reports of a unit and population over a range: one entry a report that was handed in, in no order. */
export interface UnitReports {
  readonly unit_no: number;
  readonly population: Population;
  /** Days from the beginning of the range. */
  readonly days: readonly number[];
  readonly service_days: readonly number[];
  readonly present: readonly number[];
  readonly bed_days: readonly number[];
  /** One letter a report: `s` submitted, `a` approved, `l` locked. */
  readonly marks: string;
  readonly restated: readonly number[] | null;
  readonly late: readonly number[] | null;
}

interface Wanted {
  readonly facilityNo: number;
  readonly from: string;
  readonly to: string;
  readonly denominator: FacilityConfig['denominator'];
}

/**
 * Every unit-day of a facility in a range, gathered into a row a unit, so that ten thousand of them travel as thirty. Each
 * unit is read by its key and gathered before the next.
 */
export async function findUnitReports(
  db: Database,
  { facilityNo, from, to, denominator }: Wanted,
): Promise<UnitReports[]> {
  const found = await sql<UnitReports>`
    select u.unit_no, r.*
    from census_units u
    cross join lateral (
      select c.population, to_json(array_agg(c.census_date - ${from}::date)) as days, to_json(array_agg(c.service_days)) as service_days,
        to_json(array_agg(c.closing - c.on_leave)) as present,
        to_json(array_agg(case when u.counts_in_occupancy then ${sql.ref(`c.beds_${denominator}`)} else 0 end)) as bed_days,
        string_agg(case when c.status = 'locked' then 'l'
          when c.status = 'approved' then 'a' else 's' end, '') as marks,
        to_json(array_agg(c.census_date - ${from}::date) filter (where c.restatement_no is not null)) as restated,
        to_json(array_agg(c.census_date - ${from}::date) filter (where not c.is_on_time)) as late
      from unit_census c
      where c.unit_no = u.unit_no and c.census_date between ${from}::date and ${to}::date
        and c.status in ('submitted', 'approved', 'locked', 'amending') and c.closing is not null
      group by c.population) r
    where u.facility_no = ${facilityNo} and u.counts_in_census`.execute(db);
  return found.rows;
}

/** How far the facility's days of a range have got; those that are not made yet are left out. */
export async function findDayStatuses(
  db: Database,
  { facilityNo, from, to }: Omit<Wanted, 'denominator'>,
): Promise<ReadonlyMap<string, FacilityDayStatus>> {
  const found = await sql<{ census_date: string; status: FacilityDayStatus }>`
    select census_date, status from facility_days
    where facility_no = ${facilityNo} and census_date between ${from} and ${to}`.execute(db);
  return new Map(found.rows.map(({ census_date, status }) => [census_date, status]));
}
