import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';

/** An entry as it is read: its text is the truth, all else is beside it. */
export interface ReadLogRow {
  readonly seq: number;
  readonly entry: string;
  readonly prev_hash: Buffer;
  readonly hash: Buffer;
  readonly at: Date;
  readonly actor_id: string | null;
  readonly action: string;
  readonly census_date: string | null;
  /** When its text was removed for its age. */
  readonly redacted_at: Date | null;
  readonly unit_name: string | null;
  /** The discussion about the report, where the reader takes part in it. */
  readonly discussion_chat_id: string | null;
}

/** What a log is narrowed to; census dates, ids. */
export interface LogFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly unit?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly after_approval?: boolean | undefined;
  readonly with_reason?: boolean | undefined;
  /** Each must occur in what the page shows of an entry, in any case; `search-log.ts` looks for them. */
  readonly text: readonly string[];
}

/** One search looks at so many entries at most; the next page goes on where it stopped. */
export const LONGEST_SCAN = 10_000;

function conditions({ facilityNo, filter }: { facilityNo: number; filter: LogFilter }): RawBuilder<unknown> {
  const { from, to, unit, actor, action, after_approval, with_reason } = filter;
  const wanted = [sql`l.facility_no = ${facilityNo}`];
  if (from !== undefined) wanted.push(sql`l.census_date >= ${from}::date`);
  if (to !== undefined) wanted.push(sql`l.census_date <= ${to}::date`);
  if (unit !== undefined) {
    wanted.push(sql`l.unit_no = (
      select u.unit_no from census_units u where u.unit_id = ${unit} and u.facility_no = ${facilityNo}
      union all select d.unit_no from deleted_units d where d.unit_id = ${unit} and d.facility_no = ${facilityNo})`);
  }
  if (actor !== undefined) wanted.push(sql`l.actor_id = ${actor}`);
  if (action !== undefined) wanted.push(sql`l.action = ${action}`);
  if (after_approval === true) wanted.push(sql`l.after_approval`);
  if (with_reason === true) wanted.push(sql`l.has_reason`);
  return sql.join(wanted, sql` and `);
}

const rowColumns = sql`
  l.seq, l.entry, l.prev_hash, l.hash, l.at, l.actor_id, l.action, l.census_date, l.redacted_at,
  coalesce((select n.name from census_units cu join units n on n.id = cu.unit_id where cu.unit_no = l.unit_no),
    (select d.name from deleted_units d where d.unit_no = l.unit_no)) as unit_name`;

const readColumns = (userId: string) => sql`${rowColumns}, (
    select t.chat_id from census_discussions t
    join active_participants p on p.chat_id = t.chat_id and p.user_id = ${userId}
    where t.unit_no = l.unit_no and t.census_date = l.census_date and t.population = present_population(l.class)) as discussion_chat_id`;

export interface LogPage {
  readonly facilityNo: number;
  readonly filter: LogFilter;
  readonly userId: string;
  /** Only what is older than this entry. */
  readonly before: number;
  readonly limit: number;
}

/** Entries that fit the filters, words aside, the newest first. */
export async function findLogRows(db: Database, page: LogPage): Promise<ReadLogRow[]> {
  const { userId, before, limit } = page;
  const found = await sql<ReadLogRow>`
    select ${readColumns(userId)} from census_log l where ${conditions(page)} and l.seq < ${before}
    order by l.seq desc limit ${limit}`.execute(db);
  return found.rows;
}

/** How far a search came: its last entry, or null where it came to the end of the log. */
export async function findScanEnd(db: Database, page: Omit<LogPage, 'userId' | 'limit'>): Promise<number | null> {
  const found = await sql<{ seq: number }>`
    select l.seq from census_log l where ${conditions(page)} and l.seq < ${page.before}
    order by l.seq desc offset ${LONGEST_SCAN - 1} limit 1`.execute(db);
  return found.rows[0]?.seq ?? null;
}

/** The next entries of an export that fit the filters, words aside, the oldest first. */
export async function findNextEntries(
  db: Database,
  page: { facilityNo: number; filter: LogFilter; after: number; upTo: number; limit: number },
): Promise<ReadLogRow[]> {
  const { after, upTo, limit } = page;
  const found = await sql<ReadLogRow>`
    select ${rowColumns}, null as discussion_chat_id from census_log l
    where ${conditions(page)} and l.seq > ${after} and l.seq <= ${upTo}
    order by l.seq limit ${limit}`.execute(db);
  return found.rows;
}
