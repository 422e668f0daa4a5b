import { addDays, censusInstant } from '@wardline/census/calendar.ts';
import { findFacilityPlace } from '#/features/census/core/config-queries.ts';
import type { Transaction } from '#/platform/http/context.ts';
import { purgeVisits } from './feed-queries.ts';

/** So long after its last day is locked by itself a visit is still known, for what comes late. */
const DAYS_AFTER_LOCK = 30;

/**
 * Forgets the visits that have been over for so long that none of their days takes a correction any more, keyed hashes and
 * all. Answers how many. Of the dates that they were part of the patient system says nothing from then on.
 */
export async function forgetVisits(
  tx: Transaction,
  { facilityId, newest }: { facilityId: string; newest: string },
): Promise<number> {
  const place = await findFacilityPlace(tx, { facilityId, date: newest });
  if (!place) return 0;
  const last = addDays(newest, -(place.lock_after_days + DAYS_AFTER_LOCK));
  return purgeVisits(tx, { facilityNo: place.facility_no, before: censusInstant(last, place) });
}
