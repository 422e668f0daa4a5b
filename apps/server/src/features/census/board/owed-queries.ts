import type { CensusClass, UnitDayStatus } from '@wardline/contract/census.ts';
import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';

/** A facility's clock from a date on. */
export interface DatedClock {
  readonly facility_id: string;
  readonly from_date: string;
  readonly time_zone: string;
  /** HH:MM */
  readonly census_time: string;
  readonly grace_minutes: number;
}

/** The clocks of facilities in which this person reports for a unit, the newest of each first. */
export async function findOwnClocks(
  db: Database,
  { userId, facilityIds }: { userId: string; facilityIds: readonly string[] },
): Promise<DatedClock[]> {
  const found = await sql<DatedClock>`
    select c.facility_id, h.from_date, h.time_zone, to_char(h.census_time, 'HH24:MI') as census_time, h.grace_minutes
    from census_facilities c join census_hours h on h.facility_no = c.facility_no
    where c.facility_id = any(${[...facilityIds]}::uuid[]) and exists (
      select from census_assignments a join census_units u on u.unit_no = a.unit_no
      where a.user_id = ${userId} and u.facility_no = c.facility_no)
    order by c.facility_id, h.from_date desc`.execute(db);
  return found.rows;
}

/** A report that is not in. */
export interface OwedRow {
  readonly facility_id: string;
  readonly unit_id: string;
  readonly unit_code: string;
  readonly unit_name: string;
  readonly census_date: string;
  readonly class: CensusClass;
  /** Null while nothing is stored. */
  readonly status: UnitDayStatus | null;
  readonly is_on_time: boolean | null;
  readonly version: number | null;
  readonly last_reason: string | null;
  /** Of the facility's day where it is made. */
  readonly time_zone: string | null;
  readonly census_at: Date | null;
  readonly due_at: Date | null;
}

interface Wanted {
  readonly userId: string;
  /** The dates that may be owed, one facility and date after the other. */
  readonly dates: readonly { readonly facilityId: string; readonly date: string; readonly isNewest: boolean }[];
}

/**
 * What this person's units have not handed in: from a unit's first report on; before it has one, the newest date only. What was
 * given back, or opened for a correction, is owed however long ago its date was.
 */
export async function findOwed(db: Database, { userId, dates }: Wanted): Promise<OwedRow[]> {
  const found = await sql<OwedRow>`
    with asked as (
      select * from unnest(
        ${dates.map(({ facilityId }) => facilityId)}::uuid[], ${dates.map(({ date }) => date)}::date[],
        ${dates.map(({ isNewest }) => isNewest)}::boolean[]) as asked (facility_id, census_date, is_newest)
    ), mine as (
      select u.unit_no, u.unit_id, u.facility_id, u.facility_no, k.during, k.class, n.code, n.name,
        (select min(c.census_date) from unit_census c where c.unit_no = u.unit_no and c.class = k.class) as first_date
      from census_assignments a join census_units u on u.unit_no = a.unit_no and u.counts_in_census
      join units n on n.id = u.unit_id join unit_classes k on k.unit_no = u.unit_no
      where a.user_id = ${userId} and u.facility_id in (select facility_id from asked)
    ), owed as (
      select m.unit_no, m.class, asked.census_date
      from mine m
      join asked on asked.facility_id = m.facility_id and m.during @> asked.census_date
      left join unit_census c on c.unit_no = m.unit_no and c.census_date = asked.census_date and c.class = m.class
      where (c.status is null or c.status in ('draft', 'returned', 'amending'))
        and (asked.is_newest or asked.census_date >= m.first_date)
      union
      select m.unit_no, m.class, c.census_date
      from mine m
      join unit_census c on c.facility_no = m.facility_no and c.unit_no = m.unit_no and c.class = m.class
      where c.status in ('returned', 'amending')
    )
    select m.facility_id, m.unit_id, m.code as unit_code, m.name as unit_name, o.census_date, m.class,
      c.status, c.is_on_time, c.version, c.last_reason, d.time_zone, d.census_at, d.due_at
    from owed o
    join mine m on m.unit_no = o.unit_no and m.class = o.class
    left join unit_census c on c.unit_no = m.unit_no and c.census_date = o.census_date and c.class = m.class
    left join facility_days d on d.facility_no = m.facility_no and d.census_date = o.census_date`.execute(db);
  return found.rows;
}
