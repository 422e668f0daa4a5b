import type { CensusAlert } from '@wardline/contract/census/board.ts';
import type { Population } from '@wardline/contract/census/census.ts';
import type { FacilityFormat } from '@wardline/format/facility-format.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { newId } from '#/platform/new-id.ts';

type Queryable = Database | DatabaseTransaction;

/** When it is now, and in which facility; null: in all. */
export interface Scope {
  readonly now: Date;
  readonly facilityNo: number | null;
}

interface InUnit {
  readonly facility_no: number;
  readonly unit_no: number;
  readonly unit_code: string;
  readonly date: string;
}

const handedIn = sql`('submitted', 'approved', 'locked', 'amending')`;

/** The days of a facility whose census was taken within a week. */
const recentDays = ({ now, facilityNo }: Scope) => sql`
  select d.facility_no, d.census_date, d.census_at, d.due_at, d.time_zone, d.status, f.date_order from facility_days d
  join census_facilities c on c.facility_no = d.facility_no join facilities f on f.id = c.facility_id
  where d.census_at <= ${now}::timestamptz and d.census_at > ${now}::timestamptz - interval '7 days'
    and (${facilityNo}::integer is null or d.facility_no = ${facilityNo})`;

/** A report, and how its facility writes its date. */
export interface DatedReport extends InReport, Pick<FacilityFormat, 'date_order'> {}

/** A unit's report of one population. */
export interface InReport extends InUnit {
  readonly population: Population;
}

/** Reports that nobody has handed in an hour after they were due. What was returned had been there. */
export async function findMissing(db: Queryable, scope: Scope): Promise<DatedReport[]> {
  const found = await sql<DatedReport>`
    select d.facility_no, d.date_order, u.unit_no, n.code as unit_code, d.census_date as date, k.population
    from (${recentDays(scope)}) d
    join census_units u on u.facility_no = d.facility_no and u.counts_in_census
    join units n on n.id = u.unit_id
    join unit_populations k on k.unit_no = u.unit_no and k.during @> d.census_date
    left join unit_census c on c.unit_no = u.unit_no and c.census_date = d.census_date and c.population = k.population
    where d.due_at + interval '60 minutes' <= ${scope.now}::timestamptz
      and (c.status is null or c.status = 'draft')
    order by d.facility_no, d.census_date, n.position, n.code, k.population`.execute(db);
  return found.rows;
}

export interface GapContext extends DatedReport {
  readonly partner_code: string;
  readonly out_count: number;
  readonly in_count: number;
}

/** Moves of patients of which the two sides, both handed in, do not say the same. Whoever signed the day has said why. */
export async function findGaps(db: Queryable, scope: Scope): Promise<GapContext[]> {
  const found = await sql<GapContext>`
    select d.facility_no, d.date_order, x.from_unit as unit_no, fn.code as unit_code, d.census_date as date, x.population,
      tn.code as partner_code, coalesce(x.out_count, 0) as out_count, coalesce(x.in_count, 0) as in_count
    from (${recentDays(scope)}) d
    join census_transfers x on x.facility_no = d.facility_no and x.census_date = d.census_date and x.gap > 0
    join census_units fu on fu.unit_no = x.from_unit join units fn on fn.id = fu.unit_id
    join census_units tu on tu.unit_no = x.to_unit join units tn on tn.id = tu.unit_id
    where d.status not in ('approved', 'locked')
    order by d.facility_no, d.census_date, fn.position, fn.code, x.population, tn.position, tn.code`.execute(db);
  return found.rows;
}

export interface VarianceContext extends DatedReport {
  readonly counted: number;
  readonly present: number;
}

/** Heads that were counted otherwise than computed, until somebody has approved the words for it. */
export async function findVariances(db: Queryable, scope: Scope): Promise<VarianceContext[]> {
  const found = await sql<VarianceContext>`
    select d.facility_no, d.date_order, c.unit_no, n.code as unit_code, d.census_date as date, c.population, c.counted,
      c.closing - c.on_leave as present
    from (${recentDays(scope)}) d
    join unit_census c on c.facility_no = d.facility_no and c.census_date = d.census_date and c.status = 'submitted'
    join census_units u on u.unit_no = c.unit_no join units n on n.id = u.unit_id
    where c.counted <> c.closing - c.on_leave
    order by d.facility_no, d.census_date, n.position, n.code, c.population`.execute(db);
  return found.rows;
}

export interface PressureContext extends InReport {
  readonly high_percent: number;
  /** Of the newest count. */
  readonly occupied: number;
  readonly staffed: number;
  /** Of the one before; null when there is none within a week. */
  readonly previous_occupied: number | null;
  readonly previous_staffed: number | null;
}

/** The newest two counts, at the census hour or beside it, of every unit with beds of its own. */
export async function findPressure(db: Queryable, scope: Scope): Promise<PressureContext[]> {
  const { now, facilityNo } = scope;
  const found = await sql<PressureContext>`
    select u.facility_no, u.unit_no, n.code as unit_code, d.census_date as date, k.population, f.high_percent,
      x.occupied[1] as occupied, x.staffed[1] as staffed, x.occupied[2] as previous_occupied,
      x.staffed[2] as previous_staffed
    from census_facilities f
    join lateral (select max(census_date) as census_date from (${recentDays(scope)}) r
      where r.facility_no = f.facility_no) d on d.census_date is not null
    join census_units u on u.facility_no = f.facility_no and u.counts_in_census and u.counts_in_occupancy
    join units n on n.id = u.unit_id
    join unit_populations k on k.unit_no = u.unit_no and k.during @> d.census_date
    join lateral (
      select array_agg(counts.occupied order by counts.at desc) as occupied,
        array_agg(counts.staffed order by counts.at desc) as staffed
      from (
        select * from (
          select t.census_at as at, (c.closing - c.on_leave)::integer as occupied, c.beds_staffed::integer as staffed
          from unit_census c
          join facility_days t on t.facility_no = c.facility_no and t.census_date = c.census_date
          where c.unit_no = u.unit_no and c.population = k.population and c.status in ${handedIn}
            and c.census_date between d.census_date - 7 and d.census_date
          union all
          select s.taken_at, s.occupied::integer, s.staffed::integer from census_snapshots s
          where s.unit_no = u.unit_no and s.population = k.population and s.taken_at <= ${now}::timestamptz
            and s.taken_at > ${now}::timestamptz - interval '7 days'
        ) both_kinds order by at desc limit 2
      ) counts) x on x.occupied is not null
    where (${facilityNo}::integer is null or f.facility_no = ${facilityNo})
    order by u.facility_no, n.position, n.code, k.population`.execute(db);
  return found.rows;
}

export interface RestatedContext extends InUnit {
  readonly times: number;
}

/** Units whose signed numbers were changed three times or more within a week. */
export async function findOftenRestated(db: Queryable, { now, facilityNo }: Scope): Promise<RestatedContext[]> {
  const found = await sql<RestatedContext>`
    select r.facility_no, r.unit_no, n.code as unit_code, max(r.from_date) as date, count(*)::integer as times
    from census_restatements r
    join census_units u on u.unit_no = r.unit_no join units n on n.id = u.unit_id
    where r.created_at > ${now}::timestamptz - interval '7 days' and r.created_at <= ${now}::timestamptz
      and (${facilityNo}::integer is null or r.facility_no = ${facilityNo})
    group by r.facility_no, r.unit_no, n.code having count(*) >= 3
    order by r.facility_no, n.code`.execute(db);
  return found.rows;
}

type Rule = CensusAlert['rule'];

/** Of what a rule speaks. */
export interface SpokenOf {
  readonly facility_no: number;
  readonly unit_no: number | null;
  /** Null: of the unit as a whole. */
  readonly population: Population | null;
  readonly rule: Rule;
}

export interface OpenAlert extends SpokenOf {
  readonly id: string;
  readonly date: string;
}

export async function findOpenAlerts(db: Queryable, { facilityNo }: Scope): Promise<OpenAlert[]> {
  const found = await sql<OpenAlert>`
    select id, facility_no, unit_no, population, rule, census_date as date from census_alerts
    where cleared_at is null and (${facilityNo}::integer is null or facility_no = ${facilityNo})
    order by raised_at, id`.execute(db);
  return found.rows;
}

/** Which rules spoke of what within a shift, so that they do not speak of it again. */
export async function findSpoken(db: Queryable, { now, facilityNo }: Scope): Promise<SpokenOf[]> {
  const found = await sql<SpokenOf>`
    select distinct facility_no, unit_no, population, rule from census_alerts
    where raised_at > ${now}::timestamptz - interval '8 hours'
      and (${facilityNo}::integer is null or facility_no = ${facilityNo})`.execute(db);
  return found.rows;
}

export interface NewAlert {
  readonly unit_no: number | null;
  readonly population: Population | null;
  readonly date: string;
  readonly rule: Rule;
  readonly message: string;
}

export async function insertAlert(
  tx: DatabaseTransaction,
  facilityNo: number,
  { alert, at }: { alert: NewAlert; at: Date },
): Promise<string> {
  const id = newId();
  await tx
    .insertInto('census_alerts')
    .values({
      id,
      facility_no: facilityNo,
      unit_no: alert.unit_no,
      population: alert.population,
      census_date: alert.date,
      rule: alert.rule,
      message: alert.message,
      raised_at: at,
    })
    .execute();
  return id;
}
