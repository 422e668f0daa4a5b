import { type RawBuilder, sql } from 'kysely';

interface Dates {
  readonly facilityNo: number;
  readonly from: string;
  readonly to: string;
}

/**
 * The rows of census_transfers of these dates, to be selected from: each side with what it says once its report is handed in. In a
 * draft nothing is said yet. Who is not in is found first, since they are few.
 */
export function saidTransfers({ facilityNo, from, to }: Dates): RawBuilder<unknown> {
  return sql`(
    with open_reports as materialized (
      select unit_no, census_date, population from unit_census
      where facility_no = ${facilityNo} and census_date between ${from}::date and ${to}::date
        and status in ('draft', 'returned'))
    select m.from_unit, m.to_unit, m.census_date, m.population, m.gap, m.is_both_in,
      case when s.unit_no is null then m.out_count end as out_count,
      case when r.unit_no is null then m.in_count end as in_count
    from census_transfers m
    left join open_reports s on s.unit_no = m.from_unit and s.census_date = m.census_date and s.population = m.population
    left join open_reports r on r.unit_no = m.to_unit and r.census_date = m.census_date and r.population = m.population
    where m.facility_no = ${facilityNo} and m.census_date between ${from}::date and ${to}::date)`;
}
