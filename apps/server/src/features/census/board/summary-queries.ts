import { type Population, SUMMED_FIELDS } from '@wardline/contract/census/census.ts';
import type { TransferCell } from '@wardline/contract/census/day.ts';
import type { CensusSummary, SummaryStep, Sums } from '@wardline/contract/census/summary.ts';
import { type RawBuilder, sql } from 'kysely';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import { saidTransfers } from '#/features/census/core/said-transfer-queries.ts';
import type { Database } from '#/platform/db/database.ts';
import type { DateRange } from './date-range.ts';
import type { RangeSteps } from './steps.ts';

/** What a period's reports add up to; what was expected and planned of it is not known to them. */
export type ReportedSums = Omit<Sums, 'days' | 'units_expected' | 'licensed_bed_days'>;

interface Wanted {
  readonly facilityNo: number;
  readonly parts: RangeSteps;
  readonly denominator: FacilityConfig['denominator'];
}

/** Under the same name in the reports and in the months. */
const SUMMED = [
  'service_days',
  'staffed_bed_days',
  'blocked_bed_days',
  ...SUMMED_FIELDS,
  'separation_reports',
  'discharge_days_reports',
] as const;

/** Of a report that does not say its discharge days none are summed. */
const summedColumns = sql`${sql.join(SUMMED.map((name) => sql.ref(name)))}, coalesce(discharge_days, 0) as discharge_days`;

const sums = sql`
  sum(units_reported) as units_reported, sum(units_on_time) as units_on_time, sum(census_days) as census_days,
  sum(occupancy_service_days) as occupancy_service_days, sum(occupancy_separations) as occupancy_separations,
  sum(occupancy_discharge_days) as occupancy_discharge_days, sum(bed_days) as bed_days,
  ${sql.join([...SUMMED, 'discharge_days'].map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))}`;

const bedDays = (denominator: Wanted['denominator']) => sql`${sql.ref(`${denominator}_bed_days`)} as bed_days`;

/** Each report of these days as a period of one unit-day. */
function reportsOf({ facilityNo, parts, denominator }: Wanted, by: RawBuilder<unknown>): RawBuilder<unknown>[] {
  return parts.days.map(
    ({ from, to }) => sql`
      select ${by}, population::text, 1 as units_reported, coalesce(is_on_time, false)::integer as units_on_time, closing as census_days,
        occupancy_service_days, occupancy_separations, occupancy_discharge_days, ${bedDays(denominator)}, ${summedColumns}
      from reported_unit_census
      where facility_no = ${facilityNo} and census_date between ${from}::date and ${to}::date`,
  );
}

const startOf = (column: string, by: SummaryStep): RawBuilder<string> => {
  if (by === 'total') return sql`null::date`;
  return by === 'day' ? sql`${sql.ref(column)}` : sql`date_trunc(${by}, ${sql.ref(column)}::timestamp)::date`;
};

export interface StepSums extends ReportedSums {
  /** The first day of the calendar period, also of one that the range cuts; null for the whole range. */
  readonly step: string | null;
  readonly population: Population;
}

/** The sums of each step: whole months from the facility's months, the rest from the reports. */
export async function findStepSums(db: Database, wanted: Wanted & { readonly by: SummaryStep }): Promise<StepSums[]> {
  const { facilityNo, parts, denominator, by } = wanted;
  const months = parts.months && [
    sql`
      select ${startOf('month', by)} as step, population::text, units_reported, units_on_time, census_days,
        occupancy_service_days, occupancy_separations, occupancy_discharge_days, ${bedDays(denominator)}, ${summedColumns}
      from facility_months
      where facility_no = ${facilityNo} and month between ${parts.months.first}::date and ${parts.months.last}::date`,
  ];
  const rows = [...(months ?? []), ...reportsOf(wanted, sql`${startOf('census_date', by)} as step`)];
  const found = await sql<StepSums>`
    select step, population, ${sums} from (${sql.join(rows, sql` union all `)}) as part group by step, population`.execute(
    db,
  );
  return found.rows;
}

export interface UnitSums extends ReportedSums {
  readonly unit_no: number;
  readonly population: Population;
}

/** The same for each unit over the whole range. */
export async function findUnitSums(db: Database, wanted: Wanted): Promise<UnitSums[]> {
  return findUnitStepSums(db, { ...wanted, by: 'total' });
}

export type UnitStepSums = UnitSums & Pick<StepSums, 'step'>;

/** The sums of each unit in each step: whole months from the unit's months, the rest from the reports. */
export async function findUnitStepSums(
  db: Database,
  wanted: Wanted & { readonly by: SummaryStep },
): Promise<UnitStepSums[]> {
  const { facilityNo, parts, denominator, by } = wanted;
  const months = parts.months && [
    sql`
      select ${startOf('month', by)} as step, m.unit_no, population::text, days_reported as units_reported,
        days_on_time as units_on_time, census_days,
        case when u.counts_in_occupancy then service_days else 0 end as occupancy_service_days,
        case when u.counts_in_occupancy then discharges + deaths else 0 end as occupancy_separations,
        case when u.counts_in_occupancy then discharge_days else 0 end as occupancy_discharge_days,
        ${bedDays(denominator)}, ${summedColumns}
      from unit_months m join census_units u on u.unit_no = m.unit_no and u.facility_no = m.facility_no and u.counts_in_census
      where m.facility_no = ${facilityNo} and month between ${parts.months.first}::date and ${parts.months.last}::date`,
  ];
  const rows = [...(months ?? []), ...reportsOf(wanted, sql`${startOf('census_date', by)} as step, unit_no`)];
  const found = await sql<UnitStepSums>`
    select step, unit_no, population, ${sums} from (${sql.join(rows, sql` union all `)}) as part
    group by step, unit_no, population`.execute(db);
  return found.rows;
}

/** How many moved from where to where in the range, as each side says that has handed in its report. */
export async function findTransferSums(
  db: Database,
  { facilityNo, from, to }: DateRange & { facilityNo: number },
): Promise<TransferCell[]> {
  const found = await sql<TransferCell>`
    select f.unit_id as from_unit_id, t.unit_id as to_unit_id, x.population, x.out_count, x.in_count, x.gap
    from (
      select from_unit, to_unit, population, sum(out_count) as out_count, sum(in_count) as in_count, sum(gap) as gap
      from ${saidTransfers({ facilityNo, from, to })} m
      group by from_unit, to_unit, population) x
    join census_units f on f.unit_no = x.from_unit
    join census_units t on t.unit_no = x.to_unit
    order by x.from_unit, x.to_unit, x.population`.execute(db);
  return found.rows;
}

/** Transfer gaps that were accepted with words. */
export async function findOverrides(
  db: Database,
  { facilityNo, from, to }: DateRange & { facilityNo: number },
): Promise<CensusSummary['overrides']> {
  const found = await sql<CensusSummary['overrides'][number]>`
    select d.census_date, d.transfer_gap, d.override_reason as reason,
      case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end as by
    from facility_days d left join users p on p.id = d.signed_by
    where d.facility_no = ${facilityNo} and d.census_date between ${from}::date and ${to}::date
      and d.override_reason is not null
    order by d.census_date desc`.execute(db);
  return found.rows;
}

/** Unit-days that a restatement changed, and those that were opened for a correction after their day was signed. */
export async function countChanges(
  db: Database,
  { facilityNo, from, to }: DateRange & { facilityNo: number },
): Promise<Pick<CensusSummary, 'restated_unit_days' | 'amended_since_signed'>> {
  const found = await sql<Pick<CensusSummary, 'restated_unit_days' | 'amended_since_signed'>>`
    select (
      select count(*) from unit_census
      where facility_no = ${facilityNo} and census_date between ${from}::date and ${to}::date
        and restatement_no is not null) as restated_unit_days,
    (
      select count(distinct (r.unit_no, r.census_date, r.population))
      from census_units u
      join unit_census_revisions r on r.unit_no = u.unit_no
      join facility_days d on d.facility_no = u.facility_no and d.census_date = r.census_date
      where u.facility_no = ${facilityNo} and r.census_date between ${from}::date and ${to}::date
        and r.reason_code is not null and r.changed_at > d.signed_at) as amended_since_signed`.execute(db);
  return found.rows[0] ?? { restated_unit_days: 0, amended_since_signed: 0 };
}
