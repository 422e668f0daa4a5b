import { membershipIn } from '#/platform/authorise/actor.ts';
import type { Publication } from '#/platform/publish/publish.ts';
import { dayWords, reportWords } from '../day-words.ts';
import type { Acting } from './change-unit-day.ts';
import { findReporters, findThread, keepThread } from './thread-queries.ts';

interface Line {
  readonly body: string;
  /** Units whose people are concerned besides this one's. */
  readonly partners: readonly number[];
}

/** Says in the talk about a report what was done to it, and opens that talk with the people concerned. */
export async function sayInThread(
  { tx, facts: { place, key }, actor, deps }: Acting,
  { body, partners }: Line,
): Promise<readonly Publication[]> {
  const reporters = await findReporters(tx, [place.unit_no, ...partners]);
  const isMember = membershipIn(actor, place.facility_id) !== undefined;
  const known = await findThread(tx, key);
  const { chatId, publish } = await deps.threads.say(tx, {
    facilityId: place.facility_id,
    chatId: known,
    title: `${reportWords({ unit_code: place.unit_code, class: key.class })} · ${dayWords(key.date)}`,
    people: [...new Set([...(isMember ? [actor.userId] : []), ...reporters])],
    by: { userId: actor.userId, name: actor.name },
    body,
  });
  if (known !== chatId) await keepThread(tx, key, chatId);
  return publish;
}
