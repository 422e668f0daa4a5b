import { findUnitPeople } from '#/features/census/core/discussion-queries.ts';
import { sayOfReport } from '#/features/census/core/unit-discussion.ts';
import { membershipIn } from '#/platform/http/actor.ts';
import type { Publication } from '#/platform/http/publish.ts';
import type { Acting } from './change-unit-day.ts';

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
  const { facility_id, unit_no, unit_code } = place;
  const reporters = await findUnitPeople(tx, [unit_no, ...partners]);
  const isMember = membershipIn(actor, facility_id) !== undefined;
  const people = [...new Set([...(isMember ? [actor.userId] : []), ...reporters])];
  const report = { facility_id, unit_no, unit_code, date: key.date, class: key.class };
  const line = { people, by: { userId: actor.userId, name: actor.name }, body };
  return (await sayOfReport(tx, deps.threads, { report, line })).publish;
}
