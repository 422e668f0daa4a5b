import type { CensusClass } from '@wardline/contract/census.ts';
import type { FeedDay } from '@wardline/contract/census-unit.ts';
import { sql } from 'kysely';
import { type LoggedUnit, loggedUnit } from '#/features/census/core/append-log.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { newId } from '#/platform/new-id.ts';
import type { DatedClock } from './event-date.ts';

/** The one facility that has this code; undefined where none has it, or several. */
export async function findFacilityByCode(db: Database, code: string): Promise<string | undefined> {
  const found = await sql<{ id: string }>`select id from facilities where code = ${code} limit 2`.execute(db);
  return found.rows.length === 1 ? found.rows[0]?.id : undefined;
}

/** The facility's units by code, as a patient system may spell it: letters and digits alone, in capitals. */
export async function findUnitsByCode(db: Database, facilityNo: number): Promise<Map<string, number>> {
  const found = await sql<{ unit_no: number; code: string }>`
    select u.unit_no, upper(regexp_replace(n.code, '[^A-Za-z0-9]', '', 'g')) as code
    from census_units u join units n on n.id = u.unit_id where u.facility_no = ${facilityNo}`.execute(db);
  return new Map(found.rows.map(({ unit_no, code }) => [code, unit_no]));
}

/** The facility's units as the log names them, by their number. */
export async function findLoggedUnits(tx: DatabaseTransaction, facilityNo: number): Promise<Map<number, LoggedUnit>> {
  const found = await sql<{ unit_no: number; unit_id: string; unit_code: string }>`
    select u.unit_no, u.unit_id, n.code as unit_code
    from census_units u join units n on n.id = u.unit_id where u.facility_no = ${facilityNo}`.execute(tx);
  return new Map(found.rows.map((row) => [row.unit_no, loggedUnit(row)]));
}

/** The facility's clocks, the newest first. */
export async function findDatedClocks(db: Database, facilityNo: number): Promise<DatedClock[]> {
  const found = await sql<DatedClock>`
    select from_date, time_zone, to_char(census_time, 'HH24:MI') as census_time
    from census_hours where facility_no = ${facilityNo} order by from_date desc`.execute(db);
  return found.rows;
}

/** What stands at a bed now; an older word than the one that is there changes nothing. */
export async function storeBed(
  tx: DatabaseTransaction,
  bed: { facilityNo: number; unitNo: number; bed: string; status: string; at: Date },
): Promise<void> {
  await sql`
    insert into adt_beds (facility_no, unit_no, bed, status, at)
    values (${bed.facilityNo}, ${bed.unitNo}, ${bed.bed}, ${bed.status}, ${bed.at})
    on conflict (unit_no, bed) do update set status = excluded.status, at = excluded.at
    where adt_beds.at <= excluded.at`.execute(tx);
}

/** Keeps a message that could not be taken. */
export async function insertReject(
  tx: DatabaseTransaction,
  reject: { facilityNo: number; controlId: string | null; reason: string; message: string },
): Promise<string> {
  const id = newId();
  await tx
    .insertInto('adt_rejects')
    .values({
      id,
      facility_no: reject.facilityNo,
      control_id: reject.controlId,
      reason: reject.reason.slice(0, 300),
      message: reject.message.slice(0, 65_536),
    })
    .execute();
  return id;
}

type FeedRow = FeedDay['counts'] &
  Pick<FeedDay, 'closing' | 'beds_blocked'> & {
    readonly is_fed: boolean;
    readonly moves: FeedDay['transfers'];
  };

interface UnitDayKey {
  readonly facilityNo: number;
  readonly unitNo: number;
  readonly date: string;
  readonly class: CensusClass;
  readonly censusAt: Date;
}

/** Null where the patient system has told of nothing up to the census hour, or it has been forgotten. */
export async function findFeedDay(
  db: Database | DatabaseTransaction,
  { facilityNo, unitNo, date, class: ofClass, censusAt }: UnitDayKey,
): Promise<FeedDay | null> {
  const found = await sql<FeedRow>`
    with day as (
      select * from adt_movements
      where facility_no = ${facilityNo} and census_date = ${date} and unit_no = ${unitNo} and class = ${ofClass}
    ), present as (
      select count(*)::int as closing, count(*) filter (where is_leave)::int as on_leave from adt_stays
      where facility_no = ${facilityNo} and unit_no = ${unitNo} and class = ${ofClass}
        and during @> ${censusAt}::timestamptz
    ), moves as (
      select u.unit_id, n.code as unit_code, case d.kind when 'transfer_in' then 'in' else 'out' end as direction,
        count(*)::int as count
      from day d join census_units u on u.unit_no = d.partner_unit_no join units n on n.id = u.unit_id
      group by u.unit_id, n.code, n.position, d.kind order by d.kind, n.position, n.code
    )
    select
      exists (select from adt_movements where facility_no = ${facilityNo} and census_date <= ${date})
        and not exists (select from census_facilities
          where facility_no = ${facilityNo} and feed_forgotten_to >= ${date}::date) as is_fed,
      count(*) filter (where kind = 'admission')::int as admissions,
      count(*) filter (where kind = 'birth')::int as births,
      count(*) filter (where kind = 'transfer_in')::int as transfers_in,
      count(*) filter (where kind = 'discharge')::int as discharges,
      count(*) filter (where kind = 'death')::int as deaths,
      count(*) filter (where kind = 'death' and is_under_48h)::int as deaths_u48,
      count(*) filter (where kind = 'transfer_out')::int as transfers_out,
      count(*) filter (where kind in ('discharge', 'death') and is_same_day)::int as ad_same_day,
      (select on_leave from present) as on_leave,
      (select closing from present) as closing,
      (select count(*)::int from adt_beds where unit_no = ${unitNo} and status in ('C', 'H', 'K')) as beds_blocked,
      coalesce((select jsonb_agg(to_jsonb(moves)) from moves), '[]') as moves
    from day`.execute(db);
  const [row] = found.rows;
  if (!row?.is_fed) return null;
  const { is_fed: _, moves, closing, beds_blocked, ...counts } = row;
  return { counts, closing, beds_blocked, transfers: moves };
}

/** Messages that could not be taken are kept so long; they name people. */
const REJECTS_DAYS = 30;

/** Removes rejected messages that are old. */
export async function purgeRejects(db: Database, now: Date): Promise<void> {
  await sql`delete from adt_rejects where received_at < ${now}::timestamptz - make_interval(days => ${REJECTS_DAYS})`.execute(
    db,
  );
}

/**
 * Removes the visits that were over before an instant with all that is kept of them, and merges that lead nowhere, and notes
 * up to which date the patient system's words are not whole any more. Who is still in is kept, however long ago they came.
 */
export async function purgeVisits(
  tx: DatabaseTransaction,
  { facilityNo, before }: { facilityNo: number; before: Date },
): Promise<number> {
  const found = await sql<{ visits: number }>`
    with gone as materialized (
      select e.visit_key from adt_events e where e.facility_no = ${facilityNo}
      group by e.visit_key
      having max(e.at) < ${before}::timestamptz and not exists (
        select from adt_stays s
        where s.facility_no = ${facilityNo} and s.visit_key = e.visit_key and upper_inf(s.during))
    ), events as (
      delete from adt_events e using gone g where e.facility_no = ${facilityNo} and e.visit_key = g.visit_key
    ), stays as (
      delete from adt_stays s using gone g where s.facility_no = ${facilityNo} and s.visit_key = g.visit_key
    ), movements as (
      delete from adt_movements m using gone g where m.facility_no = ${facilityNo} and m.visit_key = g.visit_key
      returning m.census_date
    ), merges as (
      delete from adt_merges m
      where m.facility_no = ${facilityNo} and (m.into_key in (select visit_key from gone)
        or m.received_at < ${before}::timestamptz
          and not exists (select from adt_events e where e.facility_no = ${facilityNo} and e.visit_key = m.into_key)
          and not exists (select from adt_merges n where n.facility_no = ${facilityNo} and n.from_key = m.into_key))
    ), noted as (
      update census_facilities
      set feed_forgotten_to = greatest(feed_forgotten_to, (select max(census_date) from movements))
      where facility_no = ${facilityNo} and exists (select from movements)
    )
    select count(*)::int as visits from gone`.execute(tx);
  return found.rows[0]?.visits ?? 0;
}
