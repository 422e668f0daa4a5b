import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';

/** Resolves when so many connections of this database wait for a lock; fails when `act` is over without having waited. */
export async function untilBlocked(db: Database, act: Promise<unknown>, connections = 1): Promise<void> {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  act.then(end, end);
  while (!isOver) {
    // Asked outside of any transaction: within one the answer would stay what it was at first.
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    if (rows.length >= connections) return;
  }
  throw new Error('it was done without waiting for a lock');
}
