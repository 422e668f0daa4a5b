import type { Population } from '@wardline/contract/census/census.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';

export interface DiscussionKey {
  readonly unitNo: number;
  readonly date: string;
  readonly population: Population;
}

/** The chat about a report, if there is one. Who may open it holds the facility, so that two do not open one each. */
export async function findUnitDiscussion(
  db: Database | DatabaseTransaction,
  { unitNo, date, population }: DiscussionKey,
): Promise<{ chatId: string; lastRemindedAt: Date | null } | undefined> {
  const found = await sql<{ chat_id: string; last_reminded_at: Date | null }>`
    select chat_id, last_reminded_at from census_discussions
    where unit_no = ${unitNo} and census_date = ${date} and population = ${population}`.execute(db);
  const [row] = found.rows;
  return row && { chatId: row.chat_id, lastRemindedAt: row.last_reminded_at };
}

/** In which of these chats somebody takes part. */
export async function findJoined(
  db: Database | DatabaseTransaction,
  { userId, chatIds }: { userId: string; chatIds: readonly string[] },
): Promise<ReadonlySet<string>> {
  if (chatIds.length === 0) return new Set();
  const found = await sql<{ chat_id: string }>`
    select chat_id from active_participants
    where user_id = ${userId} and chat_id = any(${[...chatIds]}::uuid[])`.execute(db);
  return new Set(found.rows.map(({ chat_id }) => chat_id));
}

/** Whether the person `p` may report by their membership `m`: who may not is reminded of nothing. */
export const mayReport = sql<boolean>`(p.disabled_at is null and exists (
  select from membership_roles mr join roles r on r.id = mr.role_id
  where mr.membership_id = m.id and 'census.report_units' = any(r.permissions)))`;

/** Who reports for these units, as far as they are still of the facility and may. */
export async function findUnitPeople(tx: DatabaseTransaction, unitNos: readonly number[]): Promise<string[]> {
  const found = await sql<{ user_id: string }>`
    select distinct a.user_id from census_assignments a
    join census_units u on u.unit_no = a.unit_no
    join memberships m on m.user_id = a.user_id and m.facility_id = u.facility_id and m.ended_at is null
    join users p on p.id = a.user_id
    where a.unit_no = any(${[...unitNos]}::integer[]) and ${mayReport}
    order by a.user_id`.execute(tx);
  return found.rows.map((row) => row.user_id);
}

/** The facility's own chat of its census, which the first alert opens. */
export async function findFacilityChat(
  tx: DatabaseTransaction,
  facilityNo: number,
): Promise<{ facilityId: string; chatId: string | null }> {
  const found = await sql<{ facility_id: string; chat_id: string | null }>`
    select facility_id, chat_id from census_facilities where facility_no = ${facilityNo}`.execute(tx);
  const [row] = found.rows;
  if (!row) throw new Error('a facility of the census is gone');
  return { facilityId: row.facility_id, chatId: row.chat_id };
}

interface Reader {
  readonly actor: Actor;
  readonly db: RequestContext['db'] | Transaction;
}

interface WithDiscussion {
  readonly discussion_chat_id: string | null;
}

/** A discussion is told to those who are in it: to anybody else the way there would lead nowhere. */
export async function withOwnDiscussions<Row extends WithDiscussion>(
  { actor, db }: Reader,
  rows: readonly Row[],
): Promise<Row[]> {
  const chatIds = rows.flatMap(({ discussion_chat_id }) => discussion_chat_id ?? []);
  const joined = await findJoined(db, { userId: actor.userId, chatIds });
  return rows.map((row) => ({
    ...row,
    discussion_chat_id: joined.has(row.discussion_chat_id ?? '') ? row.discussion_chat_id : null,
  }));
}

/** The same of one. */
export async function withOwnDiscussion<Row extends WithDiscussion>(ctx: Reader, row: Row): Promise<Row> {
  const [own] = await withOwnDiscussions(ctx, [row]);
  return own ?? { ...row, discussion_chat_id: null };
}
