import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Entry, Escalation, Transition } from '#/platform/escalation/escalation.ts';

/** So long the counts are kept: what the page shows at most. */
const KEPT_MONTHS = 14;

type Changed = Transition & { readonly kind: 'changed' };

/**
 * Counts whom a change of an urgent message calls, and how long its acknowledgement took; who it was is not kept. A critical
 * result that has hours or days is no measure of how fast people answer.
 */
export async function countUrgentCalls(
  tx: DatabaseTransaction,
  facilityId: string,
  { calls, entry, next }: Pick<Changed, 'calls' | 'entry' | 'next'>,
): Promise<void> {
  const called = calls.map(({ userId }) => userId);
  if (called.length > 0) {
    await sql`select count_calls(${facilityId}::uuid, 'urgent', ${called}::uuid[])`.execute(tx);
  }
  const answer = entry && !next.pace ? findAnswer(next, entry) : null;
  if (answer) {
    await sql`select note_urgent_answer(${facilityId}::uuid, ${answer.userId}::uuid, ${answer.calledAt}::timestamptz,
      ${answer.acceptedAt}::timestamptz)`.execute(tx);
  }
}

/** Whose acknowledgement this was, given also by saying at once what was done. */
function findAnswer({ people }: Escalation, { at, by }: Entry) {
  return people.find(({ userId, acceptedAt }) => userId === by && acceptedAt?.getTime() === at.getTime()) ?? null;
}

export async function purgeCallCounts(db: Database): Promise<void> {
  for (const table of ['call_counts', 'urgent_answers'] as const) {
    await sql`delete from ${sql.table(table)} as old using facilities f
      where old.facility_id = f.id and old.day < current_date - make_interval(months => ${KEPT_MONTHS})`.execute(db);
  }
}
