import {
  type Beds,
  COUNT_FIELDS,
  type Counts,
  type Estimate,
  type Population,
  type UnitDayStatus,
} from '@wardline/contract/census/census.ts';
import type { FacilityDayStatus } from '@wardline/contract/census/day.ts';
import type { FacilityFormat } from '@wardline/format/facility-format.ts';
import { sql } from 'kysely';
import { countsJson } from '#/features/census/core/counts-json.ts';
import { estimateJson, joinEstimate } from '#/features/census/core/estimate-queries.ts';
import { saidTransfers } from '#/features/census/core/said-transfer-queries.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';

type Queryable = Database | DatabaseTransaction;

/** Which day of which facility, by its number. */
export interface DayKey {
  readonly facilityNo: number;
  readonly date: string;
}

interface Person {
  readonly id: string;
  readonly name: string;
}

/** A facility day as it is stored. */
export interface DayRow {
  readonly status: FacilityDayStatus;
  readonly version: number;
  readonly time_zone: string;
  readonly census_at: Date;
  readonly due_at: Date;
  readonly override_reason: string | null;
  readonly reopen_reason: string | null;
  readonly signed_at: Date | null;
  readonly signed_by: Person | null;
  readonly locked_at: Date | null;
  readonly log_head: string | null;
}

/** One unit and population that is expected on a day, with its report if there is one. */
export interface UnitOfDayRow {
  readonly unit_no: number;
  readonly unit_id: string;
  readonly unit_code: string;
  readonly unit_name: string;
  readonly population: Population;
  readonly counts_in_occupancy: boolean;
  readonly status: UnitDayStatus | null;
  readonly version: number;
  readonly opening: number | null;
  readonly is_provisional: boolean;
  readonly is_restated: boolean;
  readonly counts: Counts | null;
  readonly closing: number | null;
  readonly service_days: number | null;
  readonly beds: Beds;
  readonly variance_reason: string | null;
  readonly variance_for: number | null;
  readonly variance_by: Person | null;
  readonly capacity_reason: string | null;
  readonly submitted_at: Date | null;
  readonly submitted_by: Person | null;
  readonly is_on_time: boolean | null;
  readonly approved_by: Person | null;
  readonly discussion_chat_id: string | null;
  readonly estimate: Estimate | null;
}

/** What two units say of the patients who moved between them. */
export interface TransferRow {
  readonly from_unit_id: string;
  readonly from_code: string;
  readonly to_unit_id: string;
  readonly to_code: string;
  readonly population: Population;
  readonly out_count: number | null;
  readonly in_count: number | null;
  readonly is_both_in: boolean;
}

const person = (table: string) =>
  sql`case when ${sql.ref(`${table}.id`)} is not null
    then json_build_object('id', ${sql.ref(`${table}.id`)}, 'name', ${sql.ref(`${table}.name`)}) end`;

export async function findDay(db: Queryable, { facilityNo, date }: DayKey): Promise<DayRow | undefined> {
  const found = await sql<DayRow>`
    select d.status, d.version, d.time_zone, d.census_at, d.due_at, d.override_reason, d.reopen_reason, d.signed_at,
      d.locked_at, encode(d.log_hash, 'hex') as log_head, ${person('signer')} as signed_by
    from facility_days d left join users signer on signer.id = d.signed_by
    where d.facility_no = ${facilityNo} and d.census_date = ${date}`.execute(db);
  return found.rows[0];
}

/** Every unit and population that is expected on the day, in the order in which people know them. */
export async function findUnitsOfDay(db: Queryable, { facilityNo, date }: DayKey): Promise<UnitOfDayRow[]> {
  const found = await sql<UnitOfDayRow>`
    select u.unit_no, u.unit_id, n.code as unit_code, n.name as unit_name, k.population, u.counts_in_occupancy, c.status,
      coalesce(c.version, 0) as version, c.opening, coalesce(c.opening_from < c.census_date - 1, false) as is_provisional,
      c.restatement_no is not null as is_restated,
      case when c.unit_no is not null then ${countsJson(COUNT_FIELDS)} end as counts,
      c.closing, c.service_days,
      json_build_object('licensed', coalesce(c.beds_licensed, b.licensed, 0),
        'physical', coalesce(c.beds_physical, b.physical, 0), 'staffed', coalesce(c.beds_staffed, b.staffed, 0),
        'surge', coalesce(c.beds_surge, b.surge, 0), 'blocked', coalesce(c.beds_blocked, 0)) as beds,
      c.variance_reason, c.variance_for, ${person('explainer')} as variance_by, c.capacity_reason, c.submitted_at,
      ${person('submitter')} as submitted_by, c.is_on_time,
      ${person('approver')} as approved_by, t.chat_id as discussion_chat_id, ${estimateJson} as estimate
    from census_units u
    join units n on n.id = u.unit_id
    join unit_populations k on k.unit_no = u.unit_no and k.during @> ${date}::date
    left join unit_census c on c.unit_no = u.unit_no and c.census_date = ${date}::date and c.population = k.population
    left join bed_complements b on b.unit_no = u.unit_no and b.population = k.population and b.valid @> ${date}::date
    left join census_discussions t on t.unit_no = u.unit_no and t.census_date = ${date}::date and t.population = k.population
    ${joinEstimate(date)}
    left join users explainer on explainer.id = c.variance_by
    left join users submitter on submitter.id = c.submitted_by
    left join users approver on approver.id = c.approved_by
    where u.facility_no = ${facilityNo} and u.counts_in_census
    order by n.position, n.name collate "und-x-icu", u.unit_no, k.population`.execute(db);
  return found.rows;
}

/** Who moved from where to where, as each side says that has handed in its report. */
export async function findTransfers(db: Queryable, { facilityNo, date }: DayKey): Promise<TransferRow[]> {
  const found = await sql<TransferRow>`
    select f.unit_id as from_unit_id, fn.code as from_code, t.unit_id as to_unit_id, tn.code as to_code, x.population,
      x.out_count, x.in_count, x.is_both_in
    from ${saidTransfers({ facilityNo, from: date, to: date })} x
    join census_units f on f.unit_no = x.from_unit join units fn on fn.id = f.unit_id
    join census_units t on t.unit_no = x.to_unit join units tn on tn.id = t.unit_id
    order by fn.position, fn.code, tn.position, tn.code, x.population`.execute(db);
  return found.rows;
}

/**
 * Holds the reports of a day and then the day itself until the commit, and brings the day's sums up to date. The day must be
 * there, and the facility's census be held.
 */
export async function lockDayRows(tx: DatabaseTransaction, { facilityNo, date }: DayKey): Promise<void> {
  await sql`
    select from unit_census where facility_no = ${facilityNo} and census_date = ${date}
    order by unit_no, population for update`.execute(tx);
  await sql`
    select from facility_days where facility_no = ${facilityNo} and census_date = ${date} for update`.execute(tx);
  await sql`select refresh_facility_days(${facilityNo}, ${date}::date, ${date}::date)`.execute(tx);
}

interface Signature extends FacilityFormat {
  readonly facility_name: string;
  readonly time_zone: string;
  readonly signer: string;
}

/** Who signed, and where; for what is mailed of it. */
export async function findSignature(
  db: Queryable,
  { facilityId, userId }: { facilityId: string; userId: string },
): Promise<Signature | undefined> {
  const found = await sql<Signature>`
    select f.name as facility_name, f.time_zone, f.hour_cycle, f.date_order, u.name as signer
    from facilities f cross join users u where f.id = ${facilityId} and u.id = ${userId}`.execute(db);
  return found.rows[0];
}
