import type { Population } from '@wardline/contract/census/census.ts';
import type { Denominator } from '@wardline/contract/census/facility.ts';
import type { FacilityFormat } from '@wardline/format/facility-format.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';

type Queryable = Database | DatabaseTransaction;

/** How a facility takes its census on a date. */
export interface FacilityConfig extends FacilityFormat {
  readonly facility_no: number;
  readonly facility_id: string;
  readonly facility_name: string;
  readonly facility_code: string;
  readonly denominator: Denominator;
  readonly split_permissions: string[];
  readonly target_percent: number;
  readonly high_percent: number;
  readonly full_percent: number;
  readonly boarding_hours: number;
  readonly asks_discharge_days: boolean;
  readonly log_retention_years: number | null;
  readonly log_head_emails: string[];
  /** From which census date on the patient system says something of the reports; null: not yet. */
  readonly feed_live_from: string | null;
  /** The clock that holds for the date that was asked for. */
  readonly time_zone: string;
  /** HH:MM */
  readonly census_time: string;
  readonly grace_minutes: number;
  /** As it holds for that date. */
  readonly four_eyes: boolean;
  /** HH:MM */
  readonly sign_off_time: string;
  readonly lock_after_days: number;
  /** The census date from which this clock counts. */
  readonly clock_from: string;
  readonly version: number;
}

/** A unit of it. */
export interface UnitConfig extends FacilityConfig {
  readonly unit_no: number;
  readonly unit_id: string;
  readonly unit_code: string;
  readonly unit_name: string;
  /** All that it reports at some time. */
  readonly known_populations: Population[];
  /** Those that it reports on the date that was asked for. */
  readonly populations: Population[];
  readonly counts_in_census: boolean;
  readonly counts_in_occupancy: boolean;
  /** Whether it closes after the date that was asked for. */
  readonly is_last_day: boolean;
  /** Whether this person reports for the unit. */
  readonly is_assigned: boolean;
}

const facilityColumns = sql`
  c.facility_no, c.facility_id, f.name as facility_name, f.code as facility_code, f.hour_cycle, f.date_order, h.four_eyes, c.denominator,
  to_char(h.sign_off_time, 'HH24:MI') as sign_off_time, h.lock_after_days, c.split_permissions, c.target_percent,
  c.high_percent, c.full_percent, c.boarding_hours, c.asks_discharge_days, c.log_retention_years, c.log_head_emails,
  c.feed_live_from, c.version, h.time_zone, to_char(h.census_time, 'HH24:MI') as census_time, h.grace_minutes, h.from_date as clock_from`;

const clockOf = (date: string) => sql`
  join lateral (
    select time_zone, census_time, grace_minutes, four_eyes, sign_off_time, lock_after_days, from_date from census_hours
    where facility_no = c.facility_no and from_date <= ${date}::date order by from_date desc limit 1) h on true`;

/** The populations that unit `u` reports on a date. */
export const populationsOn = (date: string) => sql`
  array(select k.population from unit_populations k where k.unit_no = u.unit_no and k.during @> ${date}::date order by k.population)`;

/** The facility with the clock that holds for a date (YYYY-MM-DD, a real one). */
export async function findFacilityPlace(
  db: Queryable,
  { facilityId, date }: { facilityId: string; date: string },
): Promise<FacilityConfig | undefined> {
  const found = await sql<FacilityConfig>`
    select ${facilityColumns} from census_facilities c join facilities f on f.id = c.facility_id ${clockOf(date)}
    where c.facility_id = ${facilityId}`.execute(db);
  return found.rows[0];
}

/** The unit as it is on a date, for one person. */
export async function findUnitPlace(
  db: Queryable,
  { unitId, date, userId }: { unitId: string; date: string; userId: string },
): Promise<UnitConfig | undefined> {
  const found = await sql<UnitConfig>`
    select ${facilityColumns}, u.unit_no, u.unit_id, n.code as unit_code, n.name as unit_name, u.populations as known_populations,
      ${populationsOn(date)} as populations, u.counts_in_census, u.counts_in_occupancy,
      coalesce(upper(u.active) = ${date}::date + 1, false) as is_last_day,
      exists (select from census_assignments a where a.unit_no = u.unit_no and a.user_id = ${userId}) as is_assigned
    from census_units u join units n on n.id = u.unit_id
    join census_facilities c on c.facility_no = u.facility_no join facilities f on f.id = c.facility_id ${clockOf(date)}
    where u.unit_id = ${unitId}`.execute(db);
  return found.rows[0];
}

/** What a census date is on the clock, to be kept with it. */
export interface NewFacilityDay {
  readonly facilityNo: number;
  readonly date: string;
  readonly timeZone: string;
  readonly utcOffsetMinutes: number;
  readonly censusAt: Date;
  readonly dueAt: Date;
}

/** Makes the facility's day if it is not there; what is there stays as it is. */
export async function ensureFacilityDay(tx: DatabaseTransaction, day: NewFacilityDay): Promise<void> {
  await sql`
    insert into facility_days (facility_no, census_date, time_zone, utc_offset_minutes, census_at, due_at)
    values (${day.facilityNo}, ${day.date}, ${day.timeZone}, ${day.utcOffsetMinutes}, ${day.censusAt}, ${day.dueAt})
    on conflict do nothing`.execute(tx);
}

/** Dates of a unit's population whose reports have changed. */
export interface ChangedReports {
  readonly facilityNo: number;
  readonly unitNo: number;
  readonly population: Population;
  readonly from: string;
  readonly to: string;
}

/** Brings the sums of a unit's population over these dates, and of the facility's days, up to what the reports say now. */
export async function refreshSums(
  tx: DatabaseTransaction,
  { facilityNo, unitNo, population, from, to }: ChangedReports,
): Promise<void> {
  await sql`select refresh_census_sums(${facilityNo}, ${unitNo}, ${population}, ${from}::date, ${to}::date)`.execute(
    tx,
  );
}

/** Lets the planner of queries know what has come, after many rows came at once. */
export async function analyzeCensus(tx: DatabaseTransaction): Promise<void> {
  await sql`select analyze_census()`.execute(tx);
}
