import type { CensusClass, FeedDay } from '@wardline/contract/census.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { newId } from '#/platform/ids/new-id.ts';
import type { Movement, Stay, VisitEvent } from './replay.ts';

interface VisitKey {
  readonly facilityNo: number;
  readonly visitKey: Buffer;
}

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

export type NewEvent = VisitKey &
  Omit<VisitEvent, 'eventNo'> & {
    readonly controlId: string;
  };

/** One message about a visit at a time: a later one waits for the commit of the one before. */
export async function lockVisit(tx: DatabaseTransaction, { facilityNo, visitKey }: VisitKey): Promise<void> {
  await sql`select pg_advisory_xact_lock(${facilityNo}, ${visitKey.readInt32BE(0)})`.execute(tx);
}

/** The chain of merges from a visit on; its last link is the visit that it is now. */
const mergedFrom = ({ facilityNo, visitKey }: VisitKey) => sql`
  with recursive chain(key, depth) as (
    select ${visitKey}::bytea, 0
    union all
    select m.into_key, c.depth + 1 from chain c
    join adt_merges m on m.facility_no = ${facilityNo} and m.from_key = c.key where c.depth < 50)`;

/** The visit to which this one has been merged, at the end of the chain; itself where it was not. */
export async function findMergedInto(tx: DatabaseTransaction, visit: VisitKey): Promise<Buffer> {
  const found = await sql<{ key: Buffer }>`
    ${mergedFrom(visit)} select key from chain order by depth desc limit 1`.execute(tx);
  return found.rows[0]?.key ?? visit.visitKey;
}

/**
 * Keeps an event under the visit that its visit is now, and answers that one; null where this message is there already. The
 * visit is locked by then, in a statement of its own: what this one sees begins with it.
 */
export async function insertEvent(tx: DatabaseTransaction, event: NewEvent): Promise<Buffer | null> {
  const stored = await sql<{ visit_key: Buffer }>`
    ${mergedFrom(event)}
    insert into adt_events (facility_no, control_id, visit_key, trigger, at, unit_no, class, is_birth, is_death)
    select ${event.facilityNo}::integer, ${event.controlId}::text, key, ${event.trigger}::text, ${event.at}::timestamptz,
      ${event.unitNo}::integer, ${event.class}::text, ${event.isBirth}::boolean, ${event.isDeath}::boolean
    from chain order by depth desc limit 1
    on conflict do nothing returning visit_key`.execute(tx);
  return stored.rows[0]?.visit_key ?? null;
}

/** Says that one visit is another; what stands under it moves there. */
export async function mergeVisits(
  tx: DatabaseTransaction,
  { facilityNo, from, into, controlId }: { facilityNo: number; from: Buffer; into: Buffer; controlId: string },
): Promise<void> {
  await sql`
    insert into adt_merges (facility_no, from_key, into_key, control_id)
    values (${facilityNo}, ${from}, ${into}, ${controlId}) on conflict do nothing`.execute(tx);
  await sql`
    update adt_events e set visit_key = ${into} where facility_no = ${facilityNo} and visit_key = ${from}
      and not exists (select from adt_events o
        where o.facility_no = e.facility_no and o.control_id = e.control_id and o.visit_key = ${into})`.execute(tx);
  await deleteOutcome(tx, { facilityNo, visitKey: from });
}

/** All events of a visit. */
export async function findEvents(tx: DatabaseTransaction, { facilityNo, visitKey }: VisitKey): Promise<VisitEvent[]> {
  const found = await sql<{
    trigger: string;
    at: Date;
    event_no: number;
    unit_no: number | null;
    class: CensusClass;
    is_birth: boolean;
    is_death: boolean;
  }>`
    select trigger, at, event_no, unit_no, class, is_birth, is_death from adt_events
    where facility_no = ${facilityNo} and visit_key = ${visitKey}`.execute(tx);
  return found.rows.map((row) => ({
    trigger: row.trigger,
    at: row.at,
    eventNo: row.event_no,
    unitNo: row.unit_no,
    class: row.class,
    isBirth: row.is_birth,
    isDeath: row.is_death,
  }));
}

export interface DatedMovement extends Movement {
  readonly date: string;
  readonly isSameDay: boolean;
}

/** Puts what a visit comes to in the place of what stood there. Answers the census dates that were or are touched. */
export async function replaceOutcome(
  tx: DatabaseTransaction,
  { movements, stays, ...visit }: VisitKey & { movements: readonly DatedMovement[]; stays: readonly Stay[] },
): Promise<string[]> {
  const before = await deleteOutcome(tx, visit);
  const key = { facility_no: visit.facilityNo, visit_key: visit.visitKey };
  if (movements.length > 0) {
    const rows = movements.map((movement, place) => ({
      ...key,
      place,
      at: movement.at,
      census_date: movement.date,
      kind: movement.kind,
      unit_no: movement.unitNo,
      partner_unit_no: movement.partnerUnitNo,
      class: movement.class,
      is_same_day: movement.isSameDay,
      is_under_48h: movement.isUnder48h,
    }));
    await tx.insertInto('adt_movements').values(rows).execute();
  }
  if (stays.length > 0) {
    const rows = stays.map((stay, place) => ({
      ...key,
      place,
      unit_no: stay.unitNo,
      class: stay.class,
      is_leave: stay.isLeave,
      during: sql<string>`tstzrange(${stay.from}, ${stay.to})`,
    }));
    await tx.insertInto('adt_stays').values(rows).execute();
  }
  return [...new Set([...before, ...movements.map(({ date }) => date)])].sort();
}

async function deleteOutcome(tx: DatabaseTransaction, { facilityNo, visitKey }: VisitKey): Promise<string[]> {
  const gone = await sql<{ census_date: string }>`
    with stays as (delete from adt_stays where facility_no = ${facilityNo} and visit_key = ${visitKey})
    delete from adt_movements where facility_no = ${facilityNo} and visit_key = ${visitKey} returning census_date`.execute(
    tx,
  );
  return gone.rows.map(({ census_date }) => census_date);
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

/** Null where the patient system has told of nothing up to the census hour. */
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
      exists (select from adt_movements where facility_no = ${facilityNo} and census_date <= ${date}) as is_fed,
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
