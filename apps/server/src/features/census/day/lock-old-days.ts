import { censusChanged } from '#/features/census/core/change-events.ts';
import { type ClockParts, eachByItself } from '#/features/census/core/clock-job.ts';
import { findDaysToLock, isSignedOnly, type SignedDay } from '#/features/census/core/clock-queries.ts';
import { findFacilityPlace } from '#/features/census/core/config-queries.ts';
import { lockHead } from '#/features/census/core/log-queries.ts';
import { locksAt } from './day-times.ts';
import { lockDayRows } from './facility-day-queries.ts';
import { lockDay } from './lock-day.ts';

/** Locks the signed days whose time for corrections is over. */
export async function lockOldDays(parts: ClockParts): Promise<void> {
  await eachByItself(parts, await findDaysToLock(parts.db, parts.now), (day) => lockWhenOver(parts, day));
}

async function lockWhenOver({ db, write, now, author }: ClockParts, { facility_id, facility_no, date }: SignedDay) {
  const place = await findFacilityPlace(db, { facilityId: facility_id, date });
  if (!place || locksAt(place, date) > now) return;
  const day = { facilityNo: facility_no, date };
  await write('census.facility_day.lock', async (tx) => {
    await lockHead(tx, facility_no);
    await lockDayRows(tx, day);
    if (!(await isSignedOnly(tx, day))) return { result: undefined, audit: null };
    await lockDay(tx, day, { author, at: now, reason: `${place.lock_after_days} days have passed` });
    return {
      result: undefined,
      audit: { facilityId: facility_id, objectType: 'facility_day', detail: { date } },
      publish: [censusChanged({ facility_id, census_date: date, unit_id: null })],
    };
  });
}
