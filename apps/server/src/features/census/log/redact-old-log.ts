import { appendLog } from '#/features/census/core/append-log.ts';
import { type ClockParts, eachByItself } from '#/features/census/core/clock-job.ts';
import { holdFacility } from '#/features/census/core/clock-queries.ts';
import { type FacilityToRedact, findFacilitiesToRedact, redactOldest } from './redaction-queries.ts';

/** Entries whose text one run removes; a longer backlog goes on at the next tick. */
const MOST_AT_ONCE = 5_000;

/**
 * Removes the texts of entries that are older than their facility keeps them: whole days, hence once a night. The numbers and
 * hashes stay, and the log says how many lost their text.
 */
export async function redactOldLog(parts: ClockParts): Promise<void> {
  await eachByItself(parts, await findFacilitiesToRedact(parts.db), (facility) => redactLog(parts, facility));
}

async function redactLog({ write, author }: ClockParts, { facility_no, facility_id }: FacilityToRedact): Promise<void> {
  await write('census.log.redact', async (tx) => {
    if (!(await holdFacility(tx, facility_no))) return { result: undefined, audit: null };
    const done = await redactOldest(tx, { facilityNo: facility_no, most: MOST_AT_ONCE });
    if (!done) return { result: undefined, audit: null };
    await appendLog(tx, { facilityNo: facility_no, author, entries: [{ action: 'log.redact', after: { ...done } }] });
    const { entries, up_to_seq, to } = done;
    return {
      result: undefined,
      audit: { facilityId: facility_id, objectType: 'census_log', detail: { entries, up_to_seq, to } },
    };
  });
}
