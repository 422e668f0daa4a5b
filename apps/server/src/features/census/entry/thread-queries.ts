import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { UnitDayKey } from './unit-day-queries.ts';

type Queryable = Database | DatabaseTransaction;

/** The talk about a report, if it was talked about. */
export async function findThread(db: Queryable, key: UnitDayKey): Promise<string | null> {
  const found = await sql<{ chat_id: string }>`
    select chat_id from census_threads
    where unit_no = ${key.unitNo} and census_date = ${key.date} and class = ${key.class}`.execute(db);
  return found.rows[0]?.chat_id ?? null;
}

export async function keepThread(tx: DatabaseTransaction, key: UnitDayKey, chatId: string): Promise<void> {
  await sql`
    insert into census_threads (unit_no, census_date, class, chat_id)
    values (${key.unitNo}, ${key.date}, ${key.class}, ${chatId})
    on conflict (unit_no, census_date, class) do update set chat_id = excluded.chat_id`.execute(tx);
}

/** Who reports for these units. */
export async function findReporters(db: Queryable, unitNos: readonly number[]): Promise<string[]> {
  const found = await sql<{ user_id: string }>`
    select distinct user_id from census_assignments where unit_no = any(${[...unitNos]}::integer[])`.execute(db);
  return found.rows.map(({ user_id }) => user_id);
}
