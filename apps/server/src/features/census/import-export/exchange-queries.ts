import { COUNT_FIELDS, type Counts, type Population, type UnitDayStatus } from '@wardline/contract/census/census.ts';
import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';

/** A stored unit-day as a file shows it. */
export interface UnitDayRow extends Readonly<Counts> {
  readonly unit_no: number;
  readonly unit_code: string;
  readonly safr_group: string | null;
  readonly counts_in_census: boolean;
  readonly counts_in_occupancy: boolean;
  readonly census_date: string;
  readonly population: Population;
  readonly status: UnitDayStatus;
  readonly opening: number | null;
  readonly closing: number | null;
  readonly service_days: number | null;
  readonly beds_staffed: number;
  readonly beds_blocked: number;
  readonly variance_reason: string | null;
  readonly capacity_reason: string | null;
  readonly note: string | null;
  /** 'ICU:1 ED:2' */
  readonly transfers_from: string;
  readonly transfers_to: string;
  readonly units_submitted: number;
  readonly units_expected: number;
  /** By which the facility's clocks went on the date. */
  readonly time_zone: string;
}

/** A report that a unit owes for a date, with what is known before it is written. */
export interface OwedRow {
  readonly unit_code: string;
  readonly census_date: string;
  readonly population: Population;
  readonly opening: number | null;
  readonly beds_staffed: number | null;
}

interface Range {
  readonly facilityNo: number;
  readonly from: string;
  readonly to: string;
}

export async function countUnitDays(db: Database, { facilityNo, from, to }: Range): Promise<number> {
  const found = await sql<{ unit_days: number }>`
    select count(*)::int as unit_days from unit_census
    where facility_no = ${facilityNo} and census_date between ${from} and ${to}`.execute(db);
  return found.rows[0]?.unit_days ?? 0;
}

/** The counts of report `c`. */
const countColumns = sql.join(COUNT_FIELDS.map((field) => sql.ref(`c.${field}`)));

/** The stored unit-days of these dates, by date, unit and population. Walks unit_census_facility_idx. */
export async function findUnitDays(db: Database, { facilityNo, from, to }: Range): Promise<UnitDayRow[]> {
  const found = await sql<UnitDayRow>`
    select c.unit_no, n.code as unit_code, u.safr_group, u.counts_in_census, u.counts_in_occupancy, c.census_date,
      c.population, c.status, c.opening, ${countColumns}, c.closing, c.service_days, c.beds_staffed,
      c.beds_blocked, c.variance_reason, c.capacity_reason, c.note,
      coalesce(i.words, '') as transfers_from, coalesce(o.words, '') as transfers_to, d.units_submitted, d.units_expected,
      d.time_zone
    from unit_census c
    join census_units u on u.unit_no = c.unit_no join units n on n.id = u.unit_id
    join facility_days d on d.facility_no = c.facility_no and d.census_date = c.census_date
    left join lateral (
      select string_agg(pn.code || ':' || t.in_count, ' ' order by pn.position, pn.code) as words
      from unit_transfers t join census_units p on p.unit_no = t.from_unit join units pn on pn.id = p.unit_id
      where t.facility_no = c.facility_no and t.census_date = c.census_date and t.to_unit = c.unit_no and t.population = c.population and t.in_count > 0) i on true
    left join lateral (
      select string_agg(pn.code || ':' || t.out_count, ' ' order by pn.position, pn.code) as words
      from unit_transfers t join census_units p on p.unit_no = t.to_unit join units pn on pn.id = p.unit_id
      where t.facility_no = c.facility_no and t.census_date = c.census_date and t.from_unit = c.unit_no and t.population = c.population and t.out_count > 0) o on true
    where c.facility_no = ${facilityNo} and c.census_date between ${from} and ${to}
    order by c.census_date, n.position, n.code, c.population`.execute(db);
  return found.rows;
}

/** A unit and population whose report of a date is not in. */
type MissingRow = Pick<UnitDayRow, 'census_date' | 'population' | 'safr_group' | 'counts_in_occupancy'>;

/** Whose reports of these dates are not handed in. */
export async function findMissing(db: Database, { facilityNo, from, to }: Range): Promise<MissingRow[]> {
  const found = await sql<MissingRow>`
    select d.day::date as census_date, k.population, u.safr_group, u.counts_in_occupancy
    from census_units u
    cross join generate_series(${from}::date, ${to}::date, interval '1 day') as d(day)
    join unit_populations k on k.unit_no = u.unit_no and k.during @> d.day::date
    left join unit_census c on c.unit_no = u.unit_no and c.census_date = d.day::date and c.population = k.population
    where u.facility_no = ${facilityNo} and u.counts_in_census
      and (c.status is null or c.status in ('draft', 'returned'))`.execute(db);
  return found.rows;
}

/** What is not handed in on these dates, of the units that this person reports for; for all units where `userId` is null. */
export async function findOwedDays(
  db: Database,
  { facilityNo, from, to, userId }: Range & { userId: string | null },
): Promise<OwedRow[]> {
  const found = await sql<OwedRow>`
    select n.code as unit_code, d.day::date as census_date, k.population, p.closing as opening, b.staffed as beds_staffed
    from census_units u join units n on n.id = u.unit_id
    cross join generate_series(${from}::date, ${to}::date, interval '1 day') as d(day)
    join unit_populations k on k.unit_no = u.unit_no and k.during @> d.day::date
    left join unit_census c on c.unit_no = u.unit_no and c.census_date = d.day::date and c.population = k.population
    left join unit_census p on p.unit_no = u.unit_no and p.census_date = d.day::date - 1 and p.population = k.population
    left join bed_complements b on b.unit_no = u.unit_no and b.population = k.population and b.valid @> d.day::date
    where u.facility_no = ${facilityNo} and u.counts_in_census
      and (c.status is null or c.status in ('draft', 'returned'))
      and (${userId}::uuid is null
        or exists (select from census_assignments a where a.unit_no = u.unit_no and a.user_id = ${userId}::uuid))
    order by d.day, n.position, n.code, k.population`.execute(db);
  return found.rows;
}
