import { appendLog, canonicalJson, type NewLogEntry } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import type { FacilityPlace } from '#/features/census/core/config-queries.ts';
import { lockHead } from '#/features/census/core/log-queries.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { wasNotedLately } from './log-read-queries.ts';

const ONCE_MS = 10 * 60_000;

type Noting = Pick<RequestContext, 'actor' | 'db' | 'write' | 'http'>;
type Place = Pick<FacilityPlace, 'facility_no' | 'facility_id'>;

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
    return { result: undefined, audit: { facilityId, objectType: 'census_log', detail: { outcome } } };
  });
}
