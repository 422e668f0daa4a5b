import { createHash } from 'node:crypto';
import { storedPopulation, toStoredNames } from '@wardline/census/log/stored-names.ts';
import type { Population } from '@wardline/contract/census/census.ts';
import type { CensusAction } from '@wardline/contract/census/logs.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Transaction } from '#/platform/http/context.ts';
import { VERSION } from '#/platform/version.ts';

/** Who is behind an entry: a person by a request, or the server itself by a job. */
export interface LogAuthor {
  readonly actorId: string | null;
  readonly actorName: string;
  /** The person's title in the facility, as it is now. */
  readonly actorTitle: string | null;
  readonly source: 'web' | 'api' | 'import' | 'feed' | 'job';
  readonly requestId: string | null;
  readonly ip: string | null;
  /** The session's hash in hexadecimal: the acting device. */
  readonly device: string | null;
}

/** The unit that an entry is about. */
export interface LoggedUnit {
  readonly unitNo: number;
  readonly unitId: string;
  readonly unitCode: string;
}

/** The unit of a row of the database. */
export function loggedUnit(row: { unit_no: number; unit_id: string; unit_code: string }): LoggedUnit {
  return { unitNo: row.unit_no, unitId: row.unit_id, unitCode: row.unit_code };
}

/** What is to be written down. */
export interface NewLogEntry {
  readonly action: CensusAction;
  readonly outcome?: 'done' | 'refused';
  readonly unit?: LoggedUnit;
  readonly date?: string;
  readonly population?: Population;
  /** Only the fields that changed. */
  readonly before?: Readonly<Record<string, unknown>> | null;
  readonly after?: Readonly<Record<string, unknown>> | null;
  readonly afterApproval?: boolean;
  readonly reasonCode?: string | null;
  readonly reason?: string | null;
  readonly deviceTime?: string | null;
}

interface Appending {
  readonly facilityNo: number;
  readonly author: LogAuthor;
  readonly entries: readonly NewLogEntry[];
}

/**
 * Appends entries to a facility's log, in the transaction of what they tell of. The facility's head row is locked until the
 * commit, so that numbers have no gaps and each hash follows the one before: SHA-256(hash before ‖ canonical JSON).
 */
export async function appendLog(tx: Transaction, appending: Appending): Promise<void> {
  if (appending.entries.length === 0) return;
  await appendAfter(tx, await lockHead(tx, appending.facilityNo), appending);
}

/**
 * The same where the transaction holds the end of the log: `head` is as `lockHead` found it, or as the last writing of this
 * transaction left it. Resolves to where the log ends now.
 */
export async function appendAfter(
  tx: Transaction,
  head: LogHead,
  { facilityNo, author, entries }: Appending,
): Promise<LogHead> {
  const at = new Date();
  const said = entries.map((entry) => ({ at, author, entry }));
  const rows = rowsAfter({ facilityNo, ...head }, said);
  await insertLogRows(tx, facilityNo, rows);
  const { seq, hash } = rows.at(-1) ?? head;
  return { ...head, seq, hash };
}

/** Where a log ends, and the zone its facility's clocks are in. */
export interface LogHead {
  readonly seq: number;
  readonly hash: Buffer;
  readonly timeZone: string;
}

/** The rows that follow a head, one for each entry. */
export function rowsAfter(
  { facilityNo, timeZone, ...head }: LogHead & { readonly facilityNo: number },
  said: readonly { readonly at: Date; readonly author: LogAuthor; readonly entry: NewLogEntry }[],
): LogRow[] {
  let { seq, hash } = head;
  return said.map(({ at, author, entry }) => {
    seq += 1;
    const text = textOf(entry, { author, place: { facility: facilityNo, seq, at, time_zone: timeZone } });
    const prevHash = hash;
    hash = nextHash(prevHash, text);
    return {
      seq,
      at,
      actorId: author.actorId,
      action: entry.action,
      outcome: entry.outcome ?? 'done',
      unitNo: entry.unit?.unitNo ?? null,
      date: entry.date ?? null,
      class: storedPopulation(entry.population ?? null),
      afterApproval: entry.afterApproval ?? false,
      hasReason: Boolean(entry.reason?.trim()),
      entry: text,
      prevHash,
      hash,
    };
  });
}

function textOf(entry: NewLogEntry, { author, place }: { author: LogAuthor; place: object }): string {
  // Every entry has the names of the first ones: a chain has one format, whichever builds wrote it.
  const said = {
    ...place,
    actor_id: author.actorId,
    actor_name: author.actorName,
    actor_title: author.actorTitle,
    source: author.source,
    request_id: author.requestId,
    app_version: VERSION,
    ip: author.ip,
    device: author.device,
    action: entry.action,
    outcome: entry.outcome ?? 'done',
    unit_id: entry.unit?.unitId ?? null,
    unit_code: entry.unit?.unitCode ?? null,
    census_date: entry.date ?? null,
    population: entry.population ?? null,
    before: entry.before ?? null,
    after: entry.after ?? null,
    after_approval: entry.afterApproval ?? false,
    reason_code: entry.reasonCode ?? null,
    reason: entry.reason ?? null,
    device_time: entry.deviceTime ?? null,
  };
  return canonicalJson(toStoredNames(said));
}

/** The hash of an entry that follows the one with `prev`. */
export function nextHash(prev: Buffer, entry: string): Buffer {
  return createHash('sha256').update(prev).update(entry, 'utf8').digest();
}

/** JSON with the keys of every object in the order of their code units and nothing between tokens (as RFC 8785 for our values). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`;
}

/** An entry as it is stored. */
interface LogRow {
  readonly seq: number;
  readonly at: Date;
  readonly actorId: string | null;
  readonly action: string;
  readonly outcome: string;
  readonly unitNo: number | null;
  readonly date: string | null;
  /** As the text has it. */
  readonly class: string | null;
  readonly afterApproval: boolean;
  readonly hasReason: boolean;
  readonly entry: string;
  readonly prevHash: Buffer;
  readonly hash: Buffer;
}

/** So many rows go into one statement. */
const AT_ONCE = 1000;

/** Writes the entries and moves the head; the rows follow it without a gap. */
export async function insertLogRows(
  tx: DatabaseTransaction,
  facilityNo: number,
  rows: readonly LogRow[],
): Promise<void> {
  const last = rows.at(-1);
  if (!last) return;
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    await insertAtOnce(tx, facilityNo, rows.slice(from, from + AT_ONCE));
  }
  await tx
    .updateTable('census_log_heads')
    .set({ seq: last.seq, hash: last.hash })
    .where('facility_no', '=', facilityNo)
    .execute();
}

async function insertAtOnce(tx: DatabaseTransaction, facilityNo: number, rows: readonly LogRow[]): Promise<void> {
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
}

/** Holds the end of a facility's log until the commit. */
export async function lockHead(tx: DatabaseTransaction, facilityNo: number): Promise<LogHead> {
  const found = await sql<{ seq: number; hash: Buffer; time_zone: string }>`
    select h.seq, h.hash, f.time_zone
    from census_log_heads h
    join census_facilities c on c.facility_no = h.facility_no join facilities f on f.id = c.facility_id
    where h.facility_no = ${facilityNo} for update of h`.execute(tx);
  const [head] = found.rows;
  if (!head) throw new Error('the facility has no census log');
  return { seq: head.seq, hash: head.hash, timeZone: head.time_zone };
}
