import type { Population } from '@wardline/contract/census/census.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Outcome, Touched } from './outcome.ts';
import { anyHandedIn } from './proposal-queries.ts';
import type { Movement, VisitEvent } from './replay.ts';

interface VisitKey {
  readonly facilityNo: number;
  readonly visitKey: Buffer;
}

export type NewEvent = VisitKey & Omit<VisitEvent, 'eventNo'>;

/** One message about a visit at a time: a later one waits for the commit of the one before. */
export async function lockVisit(tx: DatabaseTransaction, { facilityNo, visitKey }: VisitKey): Promise<void> {
  await sql`select lock_adt_visit(${facilityNo}, ${visitKey})`.execute(tx);
}

/** The visit to which this one has been merged, at the end of the chain; itself where it was not. */
export async function findMergedInto(tx: DatabaseTransaction, { facilityNo, visitKey }: VisitKey): Promise<Buffer> {
  const found = await sql<{ key: Buffer }>`
    with recursive chain(key, depth) as (
      select ${visitKey}::bytea, 0
      union all
      select m.into_key, c.depth + 1 from chain c
      join adt_merges m on m.facility_no = ${facilityNo} and m.from_key = c.key where c.depth < 50)
    select key from chain order by depth desc limit 1`.execute(tx);
  return found.rows[0]?.key ?? visitKey;
}

/** What is known of a visit: its events, and what was made of them. */
export interface KnownVisit {
  readonly visitKey: Buffer;
  readonly events: readonly VisitEvent[];
  readonly outcome: Outcome;
}

interface KnownRow {
  readonly visit_key: Buffer;
  readonly events: readonly {
    readonly trigger: string;
    readonly at: string;
    readonly event_no: number;
    readonly control_id: string;
    readonly unit_no: number | null;
    readonly population: Population;
    readonly is_birth: boolean;
    readonly is_death: boolean;
  }[];
  readonly movements: readonly {
    readonly at: string;
    readonly census_date: string;
    readonly kind: Movement['kind'];
    readonly unit_no: number;
    readonly partner_unit_no: number | null;
    readonly population: Population;
    readonly is_same_day: boolean;
    readonly is_under_48h: boolean;
  }[];
  readonly stays: readonly {
    readonly unit_no: number;
    readonly population: Population;
    readonly is_leave: boolean;
    readonly since: string;
    readonly until: string | null;
  }[];
}

/**
 * Locks the visit and keeps an event under the visit that it is now. Answers what is known of that one with it; null where
 * this message is there already.
 */
export async function insertEvent(tx: DatabaseTransaction, event: NewEvent): Promise<KnownVisit | null> {
  const stored = await sql<KnownRow>`
    select visit_key, events, movements, stays from keep_adt_event(${event.facilityNo}, ${event.controlId},
      ${event.visitKey}, ${event.trigger}, ${event.at}, ${event.unitNo}, ${event.population}, ${event.isBirth},
      ${event.isDeath})`.execute(tx);
  const [row] = stored.rows;
  return row ? toKnown(row) : null;
}

/** Whether a message with this number has told of this event. */
export async function isToldEvent(
  tx: DatabaseTransaction,
  {
    facilityNo,
    controlId,
    trigger,
    at,
  }: Pick<NewEvent, 'facilityNo' | 'trigger' | 'at'> & { readonly controlId: string },
): Promise<boolean> {
  const found = await sql`
    select from adt_events where facility_no = ${facilityNo} and control_id = ${controlId} and trigger = ${trigger} and at = ${at}
    limit 1`.execute(tx);
  return found.rows.length > 0;
}

/** What is known of a visit that is locked. */
export async function findVisit(tx: DatabaseTransaction, { facilityNo, visitKey }: VisitKey): Promise<KnownVisit> {
  const found = await sql<KnownRow>`
    select visit_key, events, movements, stays from known_adt_visit(${facilityNo}, ${visitKey})`.execute(tx);
  const [row] = found.rows;
  if (!row) throw new Error('a select without a condition found nothing');
  return toKnown(row);
}

function toKnown({ visit_key, events, movements, stays }: KnownRow): KnownVisit {
  return {
    visitKey: visit_key,
    events: events.map((event) => ({
      controlId: event.control_id,
      trigger: event.trigger,
      at: new Date(event.at),
      eventNo: event.event_no,
      unitNo: event.unit_no,
      population: event.population,
      isBirth: event.is_birth,
      isDeath: event.is_death,
    })),
    outcome: {
      movements: movements.map((movement) => ({
        at: new Date(movement.at),
        date: movement.census_date,
        kind: movement.kind,
        unitNo: movement.unit_no,
        partnerUnitNo: movement.partner_unit_no,
        population: movement.population,
        isSameDay: movement.is_same_day,
        isUnder48h: movement.is_under_48h,
      })),
      stays: stays.map((stay) => ({
        unitNo: stay.unit_no,
        population: stay.population,
        isLeave: stay.is_leave,
        from: new Date(stay.since),
        to: stay.until === null ? null : new Date(stay.until),
      })),
    },
  };
}

/** Says that one visit is another; what stands under it moves there. Nothing comes of the first one any more. */
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
  await storeOutcome(tx, { facilityNo, visitKey: from, movements: [], stays: [] }, []);
}

/**
 * Puts what a visit comes to in the place of what stood there; rows that stay as they are are not written. Answers, in the
 * same round trip, whether the report of one of the touched unit-days is in.
 */
export async function storeOutcome(
  tx: DatabaseTransaction,
  { facilityNo, visitKey, movements, stays }: VisitKey & Outcome,
  touched: readonly Touched[],
): Promise<boolean> {
  const moved = movements.map((movement, place) => ({
    place,
    at: movement.at,
    census_date: movement.date,
    kind: movement.kind,
    unit_no: movement.unitNo,
    partner_unit_no: movement.partnerUnitNo,
    population: movement.population,
    is_same_day: movement.isSameDay,
    is_under_48h: movement.isUnder48h,
  }));
  const stayed = stays.map(({ unitNo, population, isLeave, from, to }, place) => ({
    place,
    unit_no: unitNo,
    population,
    is_leave: isLeave,
    since: from,
    until: to,
  }));
  const stored = await sql<{ is_in: boolean }>`
    select store_adt_outcome(${facilityNo}, ${visitKey}, ${JSON.stringify(moved)}, ${JSON.stringify(stayed)}),
      ${anyHandedIn(touched)} as is_in`.execute(tx);
  return stored.rows[0]?.is_in ?? false;
}
