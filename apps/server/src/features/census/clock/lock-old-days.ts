import { censusChanged } from '../census-news.ts';
import { locksAt } from '../day/day-times.ts';
import { lockDayRows } from '../day/facility-day-queries.ts';
import { lockDay } from '../day/lock-day.ts';
import { lockHead } from '../log/log-queries.ts';
import { findFacilityPlace } from '../place-queries.ts';
import { type ClockParts, eachByItself } from './clock-parts.ts';
import { findDaysToLock, isSignedOnly, type SignedDay } from './clock-queries.ts';

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
