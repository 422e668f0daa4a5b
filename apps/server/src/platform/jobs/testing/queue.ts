import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { createLog, type Log } from '#/platform/log.ts';
import { testDatabase } from '#/testing/test-database.ts';
import { createJobs, enqueueJob, type JobHandler, type Jobs } from '../jobs.ts';

interface Row {
  readonly kind: string;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly is_dead: boolean;
  readonly due_in_s: number;
}

export interface TestQueue {
  readonly db: Database;
  readonly connectionString: string;
  /** Puts `count` jobs of a kind into the queue; each payload is its number. */
  enqueue(kind: string, count?: number): Promise<void>;
  jobsWith(handlers: Record<string, JobHandler>, log?: Log): Jobs;
  /** What lies in the queue, in the order it came. */
  rows(): Promise<Row[]>;
  /** As if the time had come for everything that waits. */
  letTimePass(): Promise<void>;
  close(): Promise<void>;
}

/** A queue in a database of its own. */
export async function testQueue(): Promise<TestQueue> {
  const { db, connectionString, close } = await testDatabase();
  return {
    db,
    connectionString,
    async enqueue(kind, count = 1) {
      await db.transaction().execute(async (tx) => {
        for (let number = 0; number < count; number++) await enqueueJob(tx, { kind, payload: { number } });
      });
    },
    jobsWith: (handlers, log = createLog('silent')) => createJobs({ db, log, handlers }),
    async rows() {
      const found = await sql<Row>`
        select kind, attempts, last_error, dead_at is not null as is_dead,
          round(extract(epoch from run_at - now()))::int as due_in_s
        from jobs order by created_at, id`.execute(db);
      return found.rows;
    },
    async letTimePass() {
      await sql`update jobs set run_at = now()`.execute(db);
    },
    close,
  };
}

/** Something to wait for. */
export function makeGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
