import type { RequestContext } from '#/platform/context.ts';
import { authorOf } from '../author.ts';
import type { FacilityPlace } from '../place-queries.ts';
import { appendLog, type NewLogEntry } from './append-log.ts';
import { canonicalJson } from './canonical-json.ts';
import { lockHead } from './log-queries.ts';
import { wasNotedLately } from './log-read-queries.ts';

const ONCE_MS = 10 * 60_000;

/** Writes down what a person does again and again, such as reading: the same thing once in ten minutes. */
export async function noteOnce(
  { actor, db, write, http }: Pick<RequestContext, 'actor' | 'db' | 'write' | 'http'>,
  { facility_no: facilityNo, facility_id: facilityId }: Pick<FacilityPlace, 'facility_no' | 'facility_id'>,
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
