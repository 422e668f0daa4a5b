import { sql } from 'kysely';
import { lockHead } from '#/features/census/core/append-log.ts';
import { censusChanged } from '#/features/census/core/change-events.ts';
import { type ClockDeps, eachByItself } from '#/features/census/core/clock-job.ts';
import { findFacilityPlace } from '#/features/census/core/config-queries.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { locksAt } from './day-times.ts';
import { lockDayRows } from './facility-day-queries.ts';
import { lockDay } from './lock-day.ts';

/** Locks the signed days whose time for corrections is over. */
export async function lockOldDays(parts: ClockDeps): Promise<void> {
  await eachByItself(parts, await findDaysToLock(parts.db, parts.now), (day) => lockWhenOver(parts, day));
}

async function lockWhenOver({ db, write, now, author }: ClockDeps, { facility_id, facility_no, date }: SignedDay) {
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
      publish: censusChanged(facility_id, [{ dates: [date], unitId: null }]),
    };
  });
}

interface SignedDay {
  readonly facility_no: number;
  readonly facility_id: string;
  readonly date: string;
}

/** Signed days that are about as old as the days after which they lock; whoever asks looks at the very hour. */
async function findDaysToLock(db: Database, now: Date): Promise<SignedDay[]> {
  const found = await sql<SignedDay>`
    select d.facility_no, c.facility_id, d.census_date as date
    from facility_days d join census_facilities c on c.facility_no = d.facility_no
    join facilities f on f.id = c.facility_id and f.deactivated_at is null
    join lateral (
      select lock_after_days from census_hours
      where facility_no = d.facility_no and from_date <= d.census_date order by from_date desc limit 1) h on true
    where d.status = 'approved'
      and d.census_at <= ${now}::timestamptz - make_interval(days => h.lock_after_days) + interval '26 hours'
    order by d.census_at limit 200`.execute(db);
  return found.rows;
}

/** Whether a day is signed and not locked. */
async function isSignedOnly(tx: DatabaseTransaction, day: { facilityNo: number; date: string }): Promise<boolean> {
  const found = await sql`
    select 1 from facility_days
    where facility_no = ${day.facilityNo} and census_date = ${day.date} and status = 'approved'`.execute(tx);
  return found.rows.length > 0;
}
