import type { UnusualCount } from '@wardline/census/forecast/usual-range.ts';
import type { Beds, Counts, Population, UnitDayStatus } from '@wardline/contract/census/census.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';

type Queryable = Database | DatabaseTransaction;

/** One unit, date and population. */
export interface UnitDayKey {
  readonly facilityNo: number;
  readonly unitNo: number;
  readonly date: string;
  readonly population: Population;
}

/** What a person may write of a report; the columns bear the same names. */
export interface StoredEntry extends Readonly<Counts> {
  readonly opening: number | null;
  readonly opening_from: string | null;
  readonly beds_licensed: number;
  readonly beds_physical: number;
  readonly beds_staffed: number;
  readonly beds_surge: number;
  readonly beds_blocked: number;
  readonly variance_reason: string | null;
  /** By how many the head count differed when the reason was given. */
  readonly variance_for: number | null;
  readonly capacity_reason: string | null;
  readonly note: string | null;
  readonly source: 'manual' | 'adt' | 'import';
}

/** What the acts on a report change. */
export interface StoredState {
  readonly status: UnitDayStatus;
  readonly is_on_time: boolean | null;
  readonly submitted_at: Date | null;
  readonly submitted_by: string | null;
  readonly reviewed_at: Date | null;
  readonly approved_at: Date | null;
  readonly approved_by: string | null;
  readonly last_reason: string | null;
  /** Why a signed report is open for a correction; null otherwise. */
  readonly amend_code: string | null;
  readonly amend_reason: string | null;
}

/** Whose entry a report is, and by which of their requests. */
interface SavedBy {
  readonly saved_by: string | null;
  readonly saved_request: string | null;
}

/** Who gave the head count, and the reason for its difference. */
export interface Authors {
  readonly counted_by: string | null;
  readonly variance_by: string | null;
}

/** A report as it is stored. */
export interface Report extends StoredEntry, StoredState, SavedBy, Authors {
  readonly version: number;
  /** Unusual counts that whoever handed it in was asked about and said to be right. */
  readonly confirmed: UnusualCount[] | null;
  readonly restatement_no: number | null;
  readonly closing: number | null;
  readonly service_days: number | null;
  readonly submitted_by_name: string | null;
  readonly approved_by_name: string | null;
  readonly counted_by_name: string | null;
  readonly variance_by_name: string | null;
}

export async function findReport(db: Queryable, key: UnitDayKey): Promise<Report | null> {
  const found = await sql<Report>`
    select c.*, s.name as submitted_by_name, a.name as approved_by_name, h.name as counted_by_name, v.name as variance_by_name
    from unit_census c left join users s on s.id = c.submitted_by left join users a on a.id = c.approved_by
      left join users h on h.id = c.counted_by left join users v on v.id = c.variance_by
    where c.unit_no = ${key.unitNo} and c.census_date = ${key.date} and c.population = ${key.population}`.execute(db);
  return found.rows[0] ?? null;
}

/** The facility's day as it was made; what its clock said then stays. */
export interface StoredDay {
  readonly status: 'open' | 'approved' | 'locked' | 'reopened';
  readonly time_zone: string;
  readonly census_at: Date;
  readonly due_at: Date;
}

export async function findDay(db: Queryable, { facilityNo, date }: UnitDayKey): Promise<StoredDay | null> {
  const found = await sql<StoredDay>`
    select status, time_zone, census_at, due_at from facility_days
    where facility_no = ${facilityNo} and census_date = ${date}`.execute(db);
  return found.rows[0] ?? null;
}

/** Whose closing a date opens with. */
export interface ChainLink {
  readonly census_date: string;
  readonly closing: number;
  readonly status: UnitDayStatus;
  readonly submitted_by: string | null;
  readonly reviewed_at: Date | null;
  readonly day_status: StoredDay['status'];
}

/** The newest earlier report that was handed in at some time; one that was returned keeps its place until it comes again. */
export async function findLinkBefore(db: Queryable, key: UnitDayKey): Promise<ChainLink | null> {
  const found = await sql<ChainLink>`
    select c.census_date, c.closing, c.status, c.submitted_by, c.reviewed_at, d.status as day_status
    from unit_census c join facility_days d on d.facility_no = c.facility_no and d.census_date = c.census_date
    where c.unit_no = ${key.unitNo} and c.population = ${key.population} and c.census_date < ${key.date}
      and c.submitted_at is not null and c.closing is not null
    order by c.census_date desc limit 1`.execute(db);
  return found.rows[0] ?? null;
}

/** The beds that hold for the date; a unit without a plan has none. */
export async function findComplement(db: Queryable, key: UnitDayKey): Promise<Beds> {
  const found = await sql<Omit<Beds, 'blocked'>>`
    select licensed, physical, staffed, surge from bed_complements
    where unit_no = ${key.unitNo} and population = ${key.population} and valid @> ${key.date}::date`.execute(db);
  return { ...(found.rows[0] ?? { licensed: 0, physical: 0, staffed: 0, surge: 0 }), blocked: 0 };
}

/** Why a version follows another. */
interface RevisionNote {
  readonly by: string;
  readonly reasonCode: string | null;
  readonly reason: string | null;
}

/** Stores the next version. What was handed in before is kept as it was; who acts on an entry takes it from its author's requests. */
export async function updateReport(
  tx: DatabaseTransaction,
  key: UnitDayKey,
  { change, note }: { change: Partial<StoredEntry & StoredState & SavedBy & Authors>; note: RevisionNote },
): Promise<void> {
  await sql`
    insert into unit_census_revisions (unit_no, census_date, population, version, row_data, changed_by, reason_code, reason)
    select unit_no, census_date, population, version, to_jsonb(c), ${note.by}, ${note.reasonCode}, ${note.reason}
    from unit_census c
    where unit_no = ${key.unitNo} and census_date = ${key.date} and population = ${key.population} and submitted_at is not null
  `.execute(tx);
  await tx
    .updateTable('unit_census')
    .set({ saved_by: null, saved_request: null, ...change, version: sql`version + 1` })
    .where('unit_no', '=', key.unitNo)
    .where('census_date', '=', key.date)
    .where('population', '=', key.population)
    .execute();
}
