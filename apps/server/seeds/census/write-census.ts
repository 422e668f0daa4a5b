import { differenceOf } from '@wardline/census/rules.ts';
import { sql } from 'kysely';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { idOf, type PersonKey } from '../people.ts';
import type { SeededUnit } from './set-up-units.ts';
import type { SimulatedMove } from './simulate.ts';
import { type Story, slipOn } from './story.ts';
import type { TimedDay, TimedReport } from './timing.ts';
import type { CensusPlan, Ward } from './unit-plans.ts';

/** All that is known of a facility's census before it is written. */
export interface DemoCensus {
  readonly place: FacilityConfig;
  readonly facilityNo: number;
  readonly plan: CensusPlan;
  readonly story: Story;
  readonly units: ReadonlyMap<Ward, SeededUnit>;
  readonly ids: ReadonlyMap<PersonKey, string>;
  readonly days: readonly TimedDay[];
  readonly reports: readonly TimedReport[];
  readonly moves: readonly SimulatedMove[];
}

export async function writeCensus(tx: DatabaseTransaction, seed: DemoCensus): Promise<void> {
  await insertDays(tx, seed);
  await insertReports(tx, seed);
  await insertMoves(tx, seed);
  await refreshSums(tx, seed);
  await insertRestatements(tx, seed);
  await signDays(tx, seed);
}

async function refreshSums(tx: DatabaseTransaction, { facilityNo, units, days }: DemoCensus): Promise<void> {
  const [from, to] = [days[0]?.clock.date, days.at(-1)?.clock.date];
  for (const [ward, { unitNo }] of units) {
    await sql`
      select refresh_census_months(${facilityNo}, ${unitNo}, ${ward.population}, ${from}::date, ${to}::date)`.execute(
      tx,
    );
  }
  await sql`select refresh_facility_days(${facilityNo}, ${from}::date, ${to}::date)`.execute(tx);
}

export function unitOf({ units }: Pick<DemoCensus, 'units'>, ward: Ward): SeededUnit {
  const unit = units.get(ward);
  if (!unit) throw new Error(`${ward.code} is no unit`);
  return unit;
}

async function insertDays(tx: DatabaseTransaction, { days }: DemoCensus): Promise<void> {
  const rows = days.map(({ clock }) => ({
    facility_no: clock.facilityNo,
    census_date: clock.date,
    time_zone: clock.timeZone,
    utc_offset_minutes: clock.utcOffsetMinutes,
    census_at: clock.censusAt,
    due_at: clock.dueAt,
  }));
  await tx.insertInto('facility_days').values(rows).execute();
}

/** Thousands of rows as one value: quicker than as many parameters. */
async function insertReports(tx: DatabaseTransaction, seed: DemoCensus): Promise<void> {
  const rows = seed.reports.map((report) => reportRow(report, seed));
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
  await sql`
    insert into unit_census (${columns})
    select ${columns} from jsonb_populate_recordset(null::unit_census, ${JSON.stringify(rows)}::jsonb)`.execute(tx);
}

function reportRow(report: TimedReport, seed: DemoCensus) {
  const { ward, daysBack, status, beds, reviewedAt } = report;
  const isApproved = status === 'approved' || status === 'locked';
  const slip = slipOn(seed.story, { code: ward.code, daysBack });
  const returned = seed.story.returned.find((told) => told.code === ward.code && told.daysBack === daysBack);
  return {
    facility_no: seed.facilityNo,
    unit_no: unitOf(seed, ward).unitNo,
    census_date: report.date,
    population: ward.population,
    opening: report.opening,
    opening_from: report.openingFrom,
    ...report.counts,
    beds_licensed: beds.licensed,
    beds_physical: beds.physical,
    beds_staffed: beds.staffed,
    beds_surge: beds.surge,
    beds_blocked: beds.blocked,
    status,
    source: 'manual',
    is_on_time: report.isOnTime,
    version: versionOf(report) + (slip ? (slip.isNext ? 1 : 4) : 0),
    submitted_at: report.submittedAt,
    submitted_by: idOf(seed.ids, ward.reporter),
    reviewed_at: reviewedAt,
    approved_at: isApproved ? reviewedAt : null,
    approved_by: isApproved ? idOf(seed.ids, seed.plan.approver) : null,
    variance_reason: report.varianceReason,
    variance_for: report.varianceReason === null ? null : differenceOf(report),
    variance_by: report.varianceReason === null ? null : idOf(seed.ids, ward.reporter),
    counted_by: idOf(seed.ids, ward.reporter),
    capacity_reason: report.capacityReason,
    last_reason: returned?.reason ?? slip?.reason ?? null,
  };
}

/** Saved, submitted, looked at, locked: each is a version. */
function versionOf({ status }: TimedReport): number {
  return status === 'locked' ? 4 : status === 'submitted' ? 2 : 3;
}

async function insertMoves(tx: DatabaseTransaction, seed: DemoCensus): Promise<void> {
  if (seed.moves.length === 0) return;
  const rows = seed.moves.map(({ date, from, to, outCount, inCount }) => ({
    facility_no: seed.facilityNo,
    census_date: date,
    from_unit: unitOf(seed, from).unitNo,
    to_unit: unitOf(seed, to).unitNo,
    population: from.population,
    out_count: outCount,
    in_count: inCount,
  }));
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
  await sql`
    insert into unit_transfers (${columns})
    select ${columns} from jsonb_populate_recordset(null::unit_transfers, ${JSON.stringify(rows)}::jsonb)`.execute(tx);
}

/** What was corrected keeps its rows as they were: a discharge short, the closing one high, the count right all the same. */
async function insertRestatements(tx: DatabaseTransaction, seed: DemoCensus): Promise<void> {
  for (const { code, daysBack, reason } of seed.story.lateSlips) {
    const report = seed.reports.find((told) => told.ward.code === code && told.daysBack === daysBack);
    const day = seed.days.find((told) => told.daysBack === daysBack);
    if (!report || !day?.signedAt) throw new Error(`${code} did not report ${daysBack} days back`);
    const { unitNo } = unitOf(seed, report.ward);
    const at = day.signedAt;
    const [reporter, approver] = [idOf(seed.ids, report.ward.reporter), idOf(seed.ids, seed.plan.approver)];
    const batch = await tx
      .insertInto('census_restatements')
      .values({
        facility_no: seed.facilityNo,
        unit_no: unitNo,
        population: report.ward.population,
        from_date: report.date,
        reason_code: 'late_slip',
        reason,
        rows: 1,
        created_by: reporter,
        approved_by: approver,
        created_at: at,
      })
      .returning('restatement_no')
      .executeTakeFirstOrThrow();
    await sql`
      insert into unit_census_revisions
        (unit_no, census_date, population, version, row_data, changed_by, changed_at, reason_code, reason)
      select c.unit_no, c.census_date, c.population, 3,
        to_jsonb(c) || jsonb_build_object('version', 3, 'status', 'approved', 'last_reason', null,
          'opening', c.opening + v.opening, 'discharges', c.discharges - v.discharges, 'closing', c.closing + 1,
          'service_days', c.service_days + 1, 'variance_reason', 'One is on the list who is not on the ward.'),
        ${reporter}, ${at}, 'late_slip', ${reason}
      from unit_census c
      join (values (${report.date}::date, 0, 1), (${report.date}::date + 1, 1, 0)) v (census_date, opening, discharges)
        on v.census_date = c.census_date
      where c.unit_no = ${unitNo} and c.population = ${report.ward.population}`.execute(tx);
    await sql`
      update unit_census set restatement_no = ${batch.restatement_no}
      where unit_no = ${unitNo} and population = ${report.ward.population} and census_date = ${report.date}::date + 1`.execute(
      tx,
    );
  }
}

async function signDays(tx: DatabaseTransaction, { facilityNo, days, plan, ids }: DemoCensus): Promise<void> {
  const signed = days
    .filter(({ status }) => status !== 'open')
    .map(({ clock, status, signedAt, lockedAt }) => ({
      date: clock.date,
      status,
      signed_at: signedAt,
      locked_at: lockedAt,
    }));
  await sql`
    update facility_days d
    set status = s.status, signed_at = s.signed_at, locked_at = s.locked_at, signed_by = ${idOf(ids, plan.signer)},
      version = case when s.status = 'locked' then 3 else 2 end
    from jsonb_to_recordset(${JSON.stringify(signed)}::jsonb)
      as s (date date, status text, signed_at timestamptz, locked_at timestamptz)
    where d.facility_no = ${facilityNo} and d.census_date = s.date`.execute(tx);
}
