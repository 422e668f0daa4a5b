import { sql } from 'kysely';
import { vi } from 'vitest';
import type { Database } from '#/platform/db/database.ts';

/** Pushes the present far enough that the overlap of sync's cursors hides no mistake: what was changed before is told once more by none. */
export async function burnTransactions(db: Database): Promise<void> {
  await sql.raw('do $$ begin for i in 1..110 loop perform pg_current_xact_id(); commit; end loop; end $$').execute(db);
}

/** The same, and waits for what is under way: transactions of other tests on the same PostgreSQL hold the horizon back. */
export async function passHorizon(db: Database): Promise<void> {
  await burnTransactions(db);
  const { rows } = await sql<{ xid: string }>`select pg_current_xact_id()::text as xid`.execute(db);
  const isPast = sql<{ is_past: boolean }>`
    select pg_snapshot_xmin(pg_current_snapshot()) > ${rows[0]?.xid}::xid8 as is_past`;
  await vi.waitUntil(async () => (await isPast.execute(db)).rows[0]?.is_past, { timeout: 25_000 });
}
