import type { UnknownStay } from '@wardline/contract/census/feed.ts';
import { sql } from 'kysely';
import { appendLog, type NewLogEntry } from '#/features/census/core/append-log.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Transaction } from '#/platform/http/context.ts';
import { newId } from '#/platform/new-id.ts';
import { eventDate } from './event-date.ts';
import { type Feed, isLiveAt } from './feed.ts';
import { findLoggedUnits } from './feed-queries.ts';
import type { VisitEvent } from './replay.ts';

/** What a message says that is not kept with its event. */
export interface AskedAbout {
  readonly controlId: string;
  /** Where somebody was before a move. */
  readonly priorUnitNo: number | null;
}

interface Asking {
  readonly visitKey: Buffer;
  /** The first move or discharge of the visit that nobody was admitted for; null: all that was told can be counted. */
  readonly unknown: VisitEvent | null;
  readonly said: AskedAbout | undefined;
}

/**
 * Asks about somebody who was moved or discharged and never admitted, until a person has answered for that message; or settles
 * what was asked where the patient system has told of the admission since, or taken the move back. Answers the census date that it
 * is about.
 */
export async function settleUnknownStay(tx: Transaction, feed: Feed, asking: Asking): Promise<string | null> {
  const { facility_no: facilityNo } = feed.place;
  const { visitKey, unknown } = asking;
  const open = await tx
    .selectFrom('adt_unknown_stays')
    .select(['id', 'control_id', 'census_date'])
    .where('facility_no', '=', facilityNo)
    .where('visit_key', '=', visitKey)
    .where('state', '=', 'open')
    .executeTakeFirst();
  const isAsked = unknown !== null && isLiveAt(feed, unknown.at);
  if (open && isAsked && open.control_id === unknown.controlId) return null;
  if (open) {
    const closed = { state: 'agreed', closed_at: sql<Date>`now()`, version: sql<number>`version + 1` };
    await tx.updateTable('adt_unknown_stays').set(closed).where('id', '=', open.id).execute();
  }
  if (isAsked) return ask(tx, feed, { ...asking, unknown });
  if (!open) return null;
  const entry = { action: 'stay.settle', date: open.census_date } as const;
  await appendLog(tx, { facilityNo, author: feed.author, entries: [entry] });
  return open.census_date;
}

/** What was settled by what the patient system told, and not by a person, is open again where that is taken back. */
const askedAnew = {
  ...{ state: 'open', closed_at: null, raised_at: sql<Date>`now()` },
  version: sql<number>`adt_unknown_stays.version + 1`,
} as const;

async function ask(
  tx: Transaction,
  feed: Feed,
  { visitKey, unknown, said }: Asking & { readonly unknown: VisitEvent },
): Promise<string | null> {
  const { facility_no: facilityNo } = feed.place;
  const isMove = unknown.trigger !== 'A03';
  const prior = said?.controlId === unknown.controlId ? said.priorUnitNo : null;
  const row = {
    id: newId(),
    facility_no: facilityNo,
    visit_key: visitKey,
    control_id: unknown.controlId,
    kind: isMove ? 'transfer' : unknown.isDeath ? 'death' : 'discharge',
    at: unknown.at,
    census_date: eventDate(unknown.at, feed.clocks),
    unit_no: isMove ? prior : unknown.unitNo,
    to_unit_no: isMove ? unknown.unitNo : null,
    population: unknown.population,
  };
  const asked = await tx
    .insertInto('adt_unknown_stays')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['facility_no', 'visit_key', 'control_id'])
        .doUpdateSet(askedAnew)
        .where('adt_unknown_stays.state', '=', 'agreed'),
    )
    .returning('id')
    .executeTakeFirst();
  if (!asked) return null;
  const units = await findLoggedUnits(tx, facilityNo);
  const unit = units.get(row.unit_no ?? row.to_unit_no ?? 0);
  const entry: NewLogEntry = {
    action: 'stay.ask',
    ...(unit && { unit }),
    date: row.census_date,
    population: row.population,
    after: { event: row.kind },
  };
  await appendLog(tx, { facilityNo, author: feed.author, entries: [entry] });
  return row.census_date;
}

/** One of them, with the keys under which the database knows it. */
export interface UnknownStayRow extends UnknownStay {
  readonly unit_no: number | null;
  readonly visit_key: Buffer;
}

const stored = typedRows<
  Omit<UnknownStayRow, 'at' | 'raised_at' | 'closed_at' | 'closed_by'> & {
    readonly at: Date;
    readonly raised_at: Date;
    readonly closed_at: Date | null;
    readonly closed_by: { readonly id: string; readonly name: string } | null;
  }
>({
  id: 'string',
  visit_key: 'buffer',
  kind: 'string',
  at: 'date',
  census_date: 'string',
  population: 'string',
  unit_no: 'number?',
  unit_id: 'string?',
  unit_code: 'string?',
  to_unit_code: 'string?',
  control_id: 'string',
  state: 'string',
  version: 'number',
  raised_at: 'date',
  closed_at: 'date?',
  closed_by: 'json?',
  reason: 'string?',
});

interface Page {
  readonly facilityNo: number;
  readonly state?: UnknownStay['state'];
  readonly id?: string;
  /** The last one of the page before. */
  readonly before?: string | null;
  readonly limit: number;
}

/** Those of a facility in a state, the newest first, or the one of this id. */
export async function findUnknownStays(
  db: Database | DatabaseTransaction,
  { facilityNo, state, id, before = null, limit }: Page,
): Promise<UnknownStayRow[]> {
  const rows = await stored.read(
    db,
    sql`
    select q.id, q.visit_key, q.kind, q.at, q.census_date, q.population, q.unit_no, u.unit_id, n.code as unit_code,
      m.code as to_unit_code, q.control_id, q.state, q.version, q.raised_at, q.closed_at, q.reason,
      case when w.id is not null then json_build_object('id', w.id, 'name', w.name) end as closed_by
    from adt_unknown_stays q
    left join census_units u on u.unit_no = q.unit_no left join units n on n.id = u.unit_id
    left join census_units t on t.unit_no = q.to_unit_no left join units m on m.id = t.unit_id
    left join users w on w.id = q.closed_by
    where q.facility_no = ${facilityNo} ${state ? sql`and q.state = ${state}` : sql``}
      ${id ? sql`and q.id = ${id}` : sql``} ${before ? sql`and q.id < ${before}` : sql``}
    order by q.id desc limit ${limit}`,
  );
  return rows.map((row) => ({
    ...row,
    at: row.at.toISOString(),
    raised_at: row.raised_at.toISOString(),
    closed_at: row.closed_at?.toISOString() ?? null,
  }));
}
