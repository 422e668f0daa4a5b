import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import type { Log } from '#/platform/log.ts';

const GOOD_FOR_MS = 1_000;

/**
 * Whether the database takes writes now: a database whose disk is full still reads. The row of a temporary table needs a new
 * page of the disk each time, and is gone with the transaction. Asked often it writes once a second at most.
 */
export function createWriteProbe(db: Database, log: Log): () => Promise<boolean> {
  let last: { readonly at: number; readonly answer: Promise<boolean> } | null = null;
  let wasWritable = true;

  async function probe(): Promise<boolean> {
    try {
      await db.transaction().execute(async (tx) => {
        await sql`create temporary table if not exists write_probe (filler text) on commit delete rows`.execute(tx);
        await sql`insert into write_probe values ('x')`.execute(tx);
      });
      wasWritable = true;
    } catch (error) {
      if (wasWritable) log.error({ err: error }, 'the database takes no writes: not ready');
      wasWritable = false;
    }
    return wasWritable;
  }

  return () => {
    const now = performance.now();
    if (last === null || now - last.at >= GOOD_FOR_MS) last = { at: now, answer: probe() };
    return last.answer;
  };
}
