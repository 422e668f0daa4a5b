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
