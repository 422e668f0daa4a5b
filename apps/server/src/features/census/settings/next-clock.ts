import { addDays, censusDateOf, censusInstant, existsIn } from '@wardline/census/calendar.ts';
import type { FixedDate } from '@wardline/census/next-clock.ts';
import { type FacilityConfig, findFacilityPlace } from '#/features/census/core/config-queries.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { findNewestDay } from './settings-queries.ts';

type Queryable = RequestContext['db'] | Transaction;

/** Another zone and another hour together move the date under way by less than this. */
const REACH_DAYS = 2;

/** The census date under way: the first that is not counted yet. The clock that was planned last may not have begun, so each date is asked by its own. */
export async function findRunningDate(db: Queryable, place: FacilityConfig, now: Date): Promise<string> {
  return (await firstNotCounted(db, place, { now, from: null })).date;
}

/** The last census date of a facility whose clock stays: the one under way, or the newest that was made. */
export async function findFixedDate(db: Queryable, place: FacilityConfig, now: Date): Promise<FixedDate> {
  return firstNotCounted(db, place, { now, from: await findNewestDay(db, place.facility_no) });
}

async function firstNotCounted(
  db: Queryable,
  place: FacilityConfig,
  { now, from }: { readonly now: Date; readonly from: string | null },
): Promise<FixedDate> {
  let date = addDays(censusDateOf(now, place), -REACH_DAYS);
  let countedAt = await countOn(db, place, date);
  while (countedAt === null || countedAt <= now.getTime() || (from !== null && date < from)) {
    date = addDays(date, 1);
    countedAt = await countOn(db, place, date);
  }
  return { date, countedAt };
}

/** When a date is counted by the clock that holds for it; null where its zone leaves the date out. */
async function countOn(db: Queryable, place: FacilityConfig, date: string): Promise<number | null> {
  const clock = (await findFacilityPlace(db, { facilityId: place.facility_id, date })) ?? place;
  return existsIn(date, clock.time_zone) ? censusInstant(date, clock).getTime() : null;
}
