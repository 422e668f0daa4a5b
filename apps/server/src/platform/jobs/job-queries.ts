import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';

export interface ClaimedJob {
  readonly id: string;
  readonly kind: string;
  readonly payload: unknown;
  /** Which try this is, from 1. It also names the claim: what another process claimed since is not touched. */
  readonly attempts: number;
}

/** The query that finds the next due job, or the next pressing one; passes over those that another process is claiming. */
export const nextDue = (isPressing: boolean) => sql<{ id: string }>`
  select id from jobs where dead_at is null and run_at <= now() ${isPressing ? sql`and is_pressing` : sql``}
  order by run_at, id limit 1 for update skip locked`;

/** Takes the next due job by moving it into the future: when nobody says otherwise until then, it is due again. */
export async function claimJob(
  db: Database,
  { leaseS, isPressing }: { readonly leaseS: number; readonly isPressing: boolean },
): Promise<ClaimedJob | undefined> {
  const claimed = await sql<ClaimedJob>`
    update jobs set run_at = now() + make_interval(secs => ${leaseS}), attempts = attempts + 1
    where id = (${nextDue(isPressing)}) returning id, kind, payload, attempts`.execute(db);
  return claimed.rows[0];
}

export async function deleteJob(db: Database, { id }: ClaimedJob): Promise<void> {
  await db.deleteFrom('jobs').where('id', '=', id).execute();
}

/** Lets a failed job run again after a while. */
export async function postponeJob(
  db: Database,
  { id, attempts }: ClaimedJob,
  { delayS, reason }: { delayS: number; reason: string },
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ run_at: sql`now() + make_interval(secs => ${delayS})`, last_error: reason })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();
}

/** Ends the tries; the job stays for the operator to see. */
export async function buryJob(db: Database, { id, attempts }: ClaimedJob, reason: string): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ dead_at: sql`now()`, last_error: reason })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();
}
