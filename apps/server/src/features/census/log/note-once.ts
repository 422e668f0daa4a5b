import { sql } from 'kysely';
import { appendLog, canonicalJson, lockHead, type NewLogEntry } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';

const ONCE_MS = 10 * 60_000;

type Noting = Pick<RequestContext, 'actor' | 'db' | 'write' | 'http'>;
type Place = Pick<FacilityConfig, 'facility_no' | 'facility_id'>;

/** Refuses a member for want of a right, on record (403). */
export async function refuse(ctx: Noting, place: Place, action: NewLogEntry['action']): Promise<never> {
  await noteOnce(ctx, place, { action, outcome: 'refused', after: { refused: 'forbidden' } });
  throw new AppError('forbidden');
}

/** Writes down what a person does again and again, such as reading: the same thing once in ten minutes. */
export async function noteOnce(
  { actor, db, write, http }: Noting,
  { facility_no: facilityNo, facility_id: facilityId }: Place,
  entry: NewLogEntry,
): Promise<void> {
  const { action, outcome = 'done', after = null } = entry;
  const same = {
    facilityNo,
    actorId: actor.userId,
    action,
    outcome,
    after: canonicalJson(after),
    since: new Date(Date.now() - ONCE_MS),
  };
  if (await wasNotedLately(db, same)) return;
  const author = authorOf({ actor, http }, facilityId);
  await write(`census.${action}`, async (tx) => {
    // Two requests at once: the second waits for the first here, and finds what it wrote.
    await lockHead(tx, facilityNo);
    if (await wasNotedLately(tx, same)) return { result: undefined, audit: null };
    await appendLog(tx, { facilityNo, author, entries: [entry] });
    const audit = { facilityId, objectType: 'census_log', ...(outcome === 'refused' && { outcome }) };
    return { result: undefined, audit };
  });
}

type Queryable = Database | DatabaseTransaction;

interface NotedOnce {
  readonly facilityNo: number;
  readonly actorId: string;
  readonly action: string;
  readonly outcome: string;
  /** Canonical JSON of what the entry says after. */
  readonly after: string;
  readonly since: Date;
}

/** Whether this person did exactly this since then; looks at their newest 200 entries. */
async function wasNotedLately(db: Queryable, { facilityNo, actorId, since, ...same }: NotedOnce): Promise<boolean> {
  const found = await sql`
    select from (
      select action, outcome, at, entry from census_log
      where facility_no = ${facilityNo} and actor_id = ${actorId} order by seq desc limit 200) newest
    where action = ${same.action} and outcome = ${same.outcome} and at > ${since}
      and case when entry is json object then entry::jsonb -> 'after' end = ${same.after}::jsonb
    limit 1`.execute(db);
  return found.rows.length > 0;
}
