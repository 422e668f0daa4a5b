import type { Population } from '@wardline/contract/census/census.ts';
import type { FeedDay } from '@wardline/contract/census/unit.ts';
import { type SqlBool, sql } from 'kysely';
import { type LoggedUnit, loggedUnit } from '#/features/census/core/append-log.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Hl7Error } from '#/platform/hl7/hl7-error.ts';
import type { Hl7Head } from '#/platform/hl7/read-message.ts';
import { newId } from '#/platform/new-id.ts';

/** The facility's units as the log names them, by their number. */
export async function findLoggedUnits(tx: DatabaseTransaction, facilityNo: number): Promise<Map<number, LoggedUnit>> {
  const found = await sql<{ unit_no: number; unit_id: string; unit_code: string }>`
    select u.unit_no, u.unit_id, n.code as unit_code
    from census_units u join units n on n.id = u.unit_id where u.facility_no = ${facilityNo}`.execute(tx);
  return new Map(found.rows.map((row) => [row.unit_no, loggedUnit(row)]));
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

interface Reject {
  readonly facilityNo: number;
  readonly head: Hl7Head;
  readonly error: Hl7Error;
  readonly message: string;
}

/** A refused message that came again and was taken is refused no more. */
export async function deleteReject(tx: DatabaseTransaction, reject: Omit<Reject, 'error'>): Promise<void> {
  await tx.deleteFrom('adt_rejects').where(isSameReject(reject)).execute();
}

function isSameReject({ facilityNo, head, message }: Omit<Reject, 'error'>) {
  const controlId = head.controlId?.slice(0, 199) ?? null;
  const isNumbered = controlId === null ? sql`control_id is null` : sql`control_id = ${controlId}`;
  return sql<SqlBool>`facility_no = ${facilityNo} and ${isNumbered} and is_whole and message = ${message}`;
}

/** Counts a message of what is not taken, whatever is in it: kept once a kind, without its text. Its id, where it is the first. */
export async function countReject(
  tx: DatabaseTransaction,
  { facilityNo, head, error }: Omit<Reject, 'message'>,
): Promise<string | undefined> {
  const id = newId();
  const [controlId, sender, kind] = [head.controlId?.slice(0, 199), head.sender?.slice(0, 80), head.kind?.slice(0, 40)];
  const counted = await sql<{ tries: number }>`
    insert into adt_rejects as r (id, facility_no, control_id, sender, kind, answer, code, reason, message, is_whole)
    values (${id}, ${facilityNo}, ${controlId ?? null}, ${sender ?? null}, ${kind ?? null}, ${error.answer}, ${error.code},
      ${error.message.slice(0, 300)}, '', false)
    on conflict (facility_no, code, coalesce(sender, ''), coalesce(kind, '')) where answer = 'AR' and message = ''
    do update set tries = r.tries + 1, tried_at = now(), control_id = excluded.control_id, reason = excluded.reason
    returning tries`.execute(tx);
  return counted.rows[0]?.tries === 1 ? id : undefined;
}

/** Keeps a message that could not be taken. Its id; undefined where its sender repeats one that is kept, of which the try is counted. */
export async function keepReject(tx: DatabaseTransaction, reject: Reject): Promise<string | undefined> {
  const { controlId, sender, kind } = reject.head;
  const { answer, code, message } = reject.error;
  const refused = { answer, code, reason: message.slice(0, 300) };
  const repeated = await tx
    .updateTable('adt_rejects')
    .set({ ...refused, tries: sql<number>`tries + 1`, tried_at: sql<Date>`now()` })
    .where(isSameReject(reject))
    .returning('id')
    .executeTakeFirst();
  if (repeated) return undefined;
  const id = newId();
  await tx
    .insertInto('adt_rejects')
    .values({
      id,
      facility_no: reject.facilityNo,
      control_id: controlId?.slice(0, 199) ?? null,
      sender: sender?.slice(0, 80) ?? null,
      kind: kind?.slice(0, 40) ?? null,
      ...refused,
      message: reject.message.slice(0, MOST_KEPT),
      is_whole: reject.message.length <= MOST_KEPT,
    })
    .execute();
  return id;
}

const MOST_KEPT = 65_536;

type FeedRow = FeedDay['counts'] &
  Pick<FeedDay, 'closing' | 'beds_blocked' | 'discharge_days'> & {
    readonly is_fed: boolean;
    readonly moves: FeedDay['transfers'];
  };

interface UnitDayKey {
  readonly facilityNo: number;
  readonly unitNo: number;
  readonly date: string;
  readonly population: Population;
  readonly censusAt: Date;
}

/** Null where the patient system has told of nothing up to the census hour, or it has been forgotten. */
export async function findFeedDay(
  db: Database | DatabaseTransaction,
  { facilityNo, unitNo, date, population, censusAt }: UnitDayKey,
): Promise<FeedDay | null> {
  const found = await sql<FeedRow>`
    with day as (
      select * from adt_movements
      where facility_no = ${facilityNo} and census_date = ${date} and unit_no = ${unitNo} and population = ${population}
    ), present as (
      select count(*)::int as closing, count(*) filter (where is_leave)::int as on_leave from adt_stays
      where facility_no = ${facilityNo} and unit_no = ${unitNo} and population = ${population}
        and during @> ${censusAt}::timestamptz
    ), left_after as (
      -- From the census date of the admission to that of the separation; on the same one a day.
      select case when a.census_date is not null then greatest(d.census_date - a.census_date, 1) end as days
      from day d left join lateral (
        select m.census_date from adt_movements m
        where m.facility_no = d.facility_no and m.visit_key = d.visit_key and m.place < d.place
          and m.kind in ('admission', 'birth')
        order by m.place desc limit 1) a on true
      where d.kind in ('discharge', 'death')
    ), moves as (
      select u.unit_id, n.code as unit_code, case d.kind when 'transfer_in' then 'in' else 'out' end as direction,
        count(*)::int as count
      from day d join census_units u on u.unit_no = d.partner_unit_no join units n on n.id = u.unit_id
      group by u.unit_id, n.code, n.position, d.kind order by d.kind, n.position, n.code
    )
    select
      exists (select from adt_movements where facility_no = ${facilityNo} and census_date <= ${date})
        and exists (select from census_facilities
          where facility_no = ${facilityNo} and feed_live_from <= ${date}::date
            and coalesce(feed_forgotten_to < ${date}::date, true)) as is_fed,
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
      -- Whose admission is not known had stayed nobody knows how long.
      (select case when count(*) = count(days) then coalesce(sum(days), 0)::int end from left_after) as discharge_days,
      (select count(*)::int from adt_beds where unit_no = ${unitNo} and status in ('C', 'H', 'K')) as beds_blocked,
      coalesce((select jsonb_agg(to_jsonb(moves)) from moves), '[]') as moves
    from day`.execute(db);
  const [row] = found.rows;
  if (!row?.is_fed) return null;
  const { is_fed: _, moves, closing, beds_blocked, discharge_days = null, ...counts } = row;
  const came = counts.admissions + counts.births + counts.transfers_in;
  const left = counts.discharges + counts.deaths + counts.transfers_out;
  return { counts, discharge_days, opening: closing - came + left, closing, beds_blocked, transfers: moves };
}
