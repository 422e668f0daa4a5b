import type { CensusClass } from '@wardline/contract/census.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';

/** An entry as it is stored. */
export interface LogRow {
  readonly seq: number;
  readonly at: Date;
  readonly actorId: string | null;
  readonly action: string;
  readonly outcome: string;
  readonly unitNo: number | null;
  readonly date: string | null;
  readonly class: CensusClass | null;
  readonly afterApproval: boolean;
  readonly hasReason: boolean;
  readonly entry: string;
  readonly prevHash: Buffer;
  readonly hash: Buffer;
}

/** Holds the end of a facility's log until the commit. `at` is now, to the millisecond, as the entry will say it. */
export async function lockHead(
  tx: DatabaseTransaction,
  facilityNo: number,
): Promise<{ seq: number; hash: Buffer; at: Date; timeZone: string }> {
  const found = await sql<{ seq: number; hash: Buffer; time_zone: string }>`
    select h.seq, h.hash, f.time_zone
    from census_log_heads h
    join census_facilities c on c.facility_no = h.facility_no join facilities f on f.id = c.facility_id
    where h.facility_no = ${facilityNo} for update of h`.execute(tx);
  const [head] = found.rows;
  if (!head) throw new Error('the facility has no census log');
  return { seq: head.seq, hash: head.hash, at: new Date(), timeZone: head.time_zone };
}

/** Writes the entries and moves the head; the rows follow it without a gap. */
export async function insertLogRows(
  tx: DatabaseTransaction,
  facilityNo: number,
  rows: readonly LogRow[],
): Promise<void> {
  const last = rows.at(-1);
  if (!last) return;
  const column = <Value>(of: (row: LogRow) => Value) => rows.map(of);
  const hexadecimal = (of: (row: LogRow) => Buffer) => rows.map((row) => of(row).toString('hex'));
  await sql`
    insert into census_log (facility_no, seq, at, actor_id, action, outcome, unit_no, census_date, class, after_approval,
      has_reason, entry, prev_hash, hash)
    select ${facilityNo}, seq, at, actor_id, action, outcome, unit_no, census_date, class, after_approval, has_reason, entry,
      decode(prev_hash, 'hex'), decode(hash, 'hex')
    from unnest(${column((row) => row.seq)}::bigint[], ${column((row) => row.at.toISOString())}::timestamptz[],
      ${column((row) => row.actorId)}::uuid[], ${column((row) => row.action)}::text[],
      ${column((row) => row.outcome)}::text[], ${column((row) => row.unitNo)}::integer[],
      ${column((row) => row.date)}::date[], ${column((row) => row.class)}::text[],
      ${column((row) => row.afterApproval)}::boolean[], ${column((row) => row.hasReason)}::boolean[],
      ${column((row) => row.entry)}::text[], ${hexadecimal((row) => row.prevHash)}::text[],
      ${hexadecimal((row) => row.hash)}::text[]
    ) as said (seq, at, actor_id, action, outcome, unit_no, census_date, class, after_approval, has_reason, entry, prev_hash,
      hash)`.execute(tx);
  await tx
    .updateTable('census_log_heads')
    .set({ seq: last.seq, hash: last.hash })
    .where('facility_no', '=', facilityNo)
    .execute();
}
