import { type BalanceInput, balanceOf } from '@wardline/census/balance.ts';
import { addDays } from '@wardline/census/calendar.ts';
import { type Population, SUMMED_FIELDS } from '@wardline/contract/census/census.ts';
import { type RawBuilder, sql } from 'kysely';
import type { ClockDeps } from '#/features/census/core/clock-job.ts';
import type { Database } from '#/platform/db/database.ts';

/** A check of the night reads years of a facility; nobody waits for it. */
const LONGEST_CHECK_MS = 60_000;

const settled = sql`('submitted', 'approved', 'locked')`;

const MOST_TOLD = 20;

const SUMMED = [
  ...SUMMED_FIELDS,
  'service_days',
  'licensed_bed_days',
  'physical_bed_days',
  'staffed_bed_days',
  'blocked_bed_days',
  'separation_reports',
  'discharge_days_reports',
];
const summed = sql`${sql.join(SUMMED.map((field) => sql`sum(${sql.ref(field)}) as ${sql.ref(field)}`))},
  coalesce(sum(discharge_days), 0) as discharge_days`;

/** Where what is stored is not what it should be, by what was compared. */
export type Differences = Readonly<Record<string, readonly Difference[]>>;

/** Older arithmetic does not move: its columns are generated when a row is written. */
const ARITHMETIC_DAYS = 400;

/**
 * Compares the module's arithmetic with the columns that the database computed, the transfers with what was said of each
 * partner, the chain of openings, and every sum that is kept with the reports. Each comparison is one statement, so that no
 * change under way looks like an error. Only what differs is in the answer.
 */
export async function checkSums({ db }: Pick<ClockDeps, 'db'>, facility: FacilityToCheck): Promise<Differences> {
  const { facility_no: facilityNo, newest } = facility;
  const balances = await findBalances(db, { facilityNo, from: addDays(newest, -ARITHMETIC_DAYS) });
  const found: Record<string, readonly Difference[]> = {
    arithmetic: balances.filter(isMiscomputed),
    transfers: await findWrongTransfers(db, facilityNo),
    openings: await findWrongOpenings(db, facilityNo),
    unit_months: await findWrongUnitMonths(db, facilityNo),
    facility_months: await findWrongFacilityMonths(db, facilityNo),
    facility_days: await findWrongDays(db, facilityNo),
  };
  return Object.fromEntries(Object.entries(found).filter(([, places]) => places.length > 0));
}

function isMiscomputed(row: BalanceRow): boolean {
  const { closing, service_days } = balanceOf(row);
  return closing !== row.closing || service_days !== row.service_days;
}

interface BalanceRow extends Difference, BalanceInput {
  readonly closing: number;
  readonly service_days: number;
}

/** What was handed in since a date, with what the database computed of it. */
async function findBalances(
  db: Database,
  { facilityNo, from }: { facilityNo: number; from: string },
): Promise<BalanceRow[]> {
  const found = await sql<BalanceRow>`
    select n.code as unit_code, c.census_date as date, c.population, c.opening, c.admissions, c.births, c.transfers_in,
      c.discharges, c.deaths, c.transfers_out, c.ad_same_day, c.on_leave, c.closing, c.service_days
    from unit_census c join census_units u on u.unit_no = c.unit_no join units n on n.id = u.unit_id
    where c.facility_no = ${facilityNo} and c.census_date >= ${from} and c.status in ${settled}`.execute(db);
  return found.rows;
}

/** Reports whose transfers are not the sum of what the unit said of each partner: what is said both ways comes to nothing. */
function findWrongTransfers(db: Database, facilityNo: number): Promise<Difference[]> {
  return differences(
    db,
    sql`
    select n.code as unit_code, said.census_date as date, said.population
    from (
      select unit_no, census_date, population, true as is_report, transfers_out as outs, transfers_in as ins
      from unit_census where facility_no = ${facilityNo} and status in ${settled}
      union all
      select from_unit, census_date, population, false, -coalesce(out_count, 0), 0 from unit_transfers
      where facility_no = ${facilityNo}
      union all
      select to_unit, census_date, population, false, 0, -coalesce(in_count, 0) from unit_transfers
      where facility_no = ${facilityNo}
    ) said
    join census_units u on u.unit_no = said.unit_no join units n on n.id = u.unit_id
    group by said.unit_no, said.census_date, said.population, n.code
    having bool_or(said.is_report) and (sum(said.outs) <> 0 or sum(said.ins) <> 0)`,
  );
}

/**
 * Reports whose opening is not the closing of the day it is carried from. What is signed, or was until its day was reopened, waits
 * with its opening for the approval of an earlier report that was corrected or came late: until then it differs, and that is right.
 */
function findWrongOpenings(db: Database, facilityNo: number): Promise<Difference[]> {
  return differences(
    db,
    sql`
    select n.code as unit_code, c.census_date as date, c.population
    from unit_census c join census_units u on u.unit_no = c.unit_no join units n on n.id = u.unit_id
    join unit_census p on p.unit_no = c.unit_no and p.census_date = c.opening_from and p.population = c.population
    join facility_days d on d.facility_no = c.facility_no and d.census_date = c.census_date
    where c.facility_no = ${facilityNo} and d.facility_no = ${facilityNo} and p.facility_no = ${facilityNo} and c.status in ${settled} and p.status in ${settled}
      and c.opening is distinct from p.closing
      and not ((c.status in ('approved', 'locked') or d.status in ('approved', 'locked')) and exists (
        select from unit_census w where w.facility_no = ${facilityNo} and w.unit_no = c.unit_no and w.population = c.population
          and w.census_date < c.census_date and w.status in ('submitted', 'returned', 'amending')))`,
  );
}

/** Unit-months that are not what the reports add up to. */
function findWrongUnitMonths(db: Database, facilityNo: number): Promise<Difference[]> {
  return differences(
    db,
    sql`
    select n.code as unit_code, coalesce(e.month, s.month) as date, coalesce(e.population, s.population) as population
    from (
      select facility_no, unit_no, date_trunc('month', census_date)::date as month, population, count(*) as days_reported,
        count(*) filter (where is_on_time) as days_on_time, sum(closing) as census_days, ${summed}
      from reported_unit_census where facility_no = ${facilityNo} group by 1, 2, 3, 4
    ) e
    full join (select * from unit_months where facility_no = ${facilityNo}) s
      on s.unit_no = e.unit_no and s.month = e.month and s.population = e.population
    join census_units u on u.unit_no = coalesce(e.unit_no, s.unit_no) join units n on n.id = u.unit_id
    where to_jsonb(e) is distinct from to_jsonb(s)`,
  );
}

/** Facility-months that are not what the reports add up to. */
function findWrongFacilityMonths(db: Database, facilityNo: number): Promise<Difference[]> {
  return differences(
    db,
    sql`
    select null as unit_code, coalesce(e.month, s.month) as date, coalesce(e.population, s.population) as population
    from (
      select facility_no, date_trunc('month', census_date)::date as month, population, count(*) as units_reported,
        count(*) filter (where is_on_time) as units_on_time, sum(closing) as census_days,
        sum(occupancy_service_days) as occupancy_service_days, sum(occupancy_separations) as occupancy_separations,
        sum(occupancy_discharge_days) as occupancy_discharge_days, ${summed}
      from reported_unit_census where facility_no = ${facilityNo} group by 1, 2, 3
    ) e
    full join (select * from facility_months where facility_no = ${facilityNo}) s
      on s.month = e.month and s.population = e.population
    where to_jsonb(e) is distinct from to_jsonb(s)`,
  );
}

/** Facility-days that are not what their reports and transfers add up to. */
function findWrongDays(db: Database, facilityNo: number): Promise<Difference[]> {
  return differences(
    db,
    sql`
    select null as unit_code, d.census_date as date, null as population
    from facility_days d
    left join (
      select census_date, count(*) as submitted, count(*) filter (where is_on_time) as on_time,
        count(*) filter (where status in ('approved', 'locked')) as approved, sum(closing) as census_days,
        sum(service_days) as service_days, sum(occupancy_service_days) as occupancy_service_days,
        sum(licensed_bed_days) as licensed, sum(physical_bed_days) as physical, sum(staffed_bed_days) as staffed
      from reported_unit_census where facility_no = ${facilityNo} group by 1
    ) r on r.census_date = d.census_date
    left join (
      select census_date, sum(gap) as gap from census_transfers
      where facility_no = ${facilityNo} group by 1
    ) t on t.census_date = d.census_date
    where d.facility_no = ${facilityNo}
      and (d.units_submitted, d.units_on_time, d.units_approved, d.transfer_gap, d.census_days, d.service_days,
        d.occupancy_service_days, d.licensed_bed_days, d.physical_bed_days, d.staffed_bed_days)
      is distinct from (coalesce(r.submitted, 0), coalesce(r.on_time, 0), coalesce(r.approved, 0), coalesce(t.gap, 0),
        coalesce(r.census_days, 0), coalesce(r.service_days, 0), coalesce(r.occupancy_service_days, 0),
        coalesce(r.licensed, 0), coalesce(r.physical, 0), coalesce(r.staffed, 0))`,
  );
}

/**
 * The first of them in time's order; more than can be told helps nobody. All of a facility is compared with all of it: where the
 * planner believes that a table is empty (it looked before many rows were committed) it would do that row by row.
 */
async function differences(db: Database, wrong: RawBuilder<unknown>): Promise<Difference[]> {
  return db.transaction().execute(async (tx) => {
    await sql`
      select set_config('enable_nestloop', 'off', true), set_config('statement_timeout', ${String(LONGEST_CHECK_MS)}, true)`.execute(
      tx,
    );
    const found = await sql<Difference>`
      select * from (${wrong}) wrong order by date, unit_code, population limit ${MOST_TOLD}`.execute(tx);
    return found.rows;
  });
}

export interface FacilityToCheck {
  readonly facility_no: number;
  readonly facility_id: string;
  /** The newest census date that was counted. */
  readonly newest: string;
  readonly full_percent: number;
}

/** A place at which something stored is not what it should be. */
export interface Difference {
  readonly unit_code: string | null;
  /** A census date, or the first of a month. */
  readonly date: string;
  readonly population: Population | null;
}
