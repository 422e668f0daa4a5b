import {
  addDays,
  censusDateOf,
  censusInstant,
  daysBetween,
  existsIn,
  newestCensusDate,
} from '@wardline/census/calendar.ts';
import { sql } from 'kysely';
import { type ClockDeps, holdFacilities } from '#/features/census/core/clock-job.ts';
import type { NewFacilityDay } from '#/features/census/core/config-queries.ts';
import { dayOnClock } from '#/features/census/core/facility-day-clock.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';

/** How long before its hour a census date is made, so that its units can be reminded. */
const AHEAD_MS = 60 * 60_000;
/** A server that was off for longer leaves out what nobody will report any more. */
const MOST_DAYS_BEHIND = 60;
const AT_ONCE = 500;

/** Makes the census dates whose hour has come or is near, in every facility, each once. */
export async function makeDays({ db, write, now }: ClockDeps): Promise<void> {
  const dates = new Map<string, ReachedDates>();
  const days = (await findClocks(db)).flatMap((facility) => missingDays(facility, { now, dates }));
  for (let from = 0; from < days.length; from += AT_ONCE) {
    const some = days.slice(from, from + AT_ONCE);
    await write('census.clock.days', async (tx) => {
      const made = await insertDays(tx, some);
      return { result: undefined, audit: made === 0 ? null : { detail: { made } } };
    });
  }
}

/** What a clock has reached: the newest date that was counted, and the one under way if its hour is near. */
interface ReachedDates {
  readonly counted: string;
  readonly reached: string;
}

interface Moment {
  readonly now: Date;
  /** Facilities share few clocks, and a date takes a while to compute. */
  readonly dates: Map<string, ReachedDates>;
}

function missingDays({ facility_no, clocks, newest }: FacilityClocks, moment: Moment): NewFacilityDay[] {
  const [latest] = clocks;
  if (!latest) return [];
  const today = reachedDates(clockOn(clocks, moment.now.toISOString().slice(0, 10)) ?? latest, moment);
  const first = newest === null ? today.counted : addDays(newest, 1);
  const days: NewFacilityDay[] = [];
  // A day further than today's clock has reached: another clock may begin with it, at an earlier hour.
  for (let date = first; date <= addDays(today.reached, 1); date = addDays(date, 1)) {
    const clock = clockOn(clocks, date) ?? latest;
    const isRecent = daysBetween(date, today.reached) <= MOST_DAYS_BEHIND;
    if (isRecent && existsIn(date, clock.time_zone)) days.push(dayOnClock(clock, { facilityNo: facility_no, date }));
  }
  return days.filter(({ censusAt }) => censusAt.getTime() <= moment.now.getTime() + AHEAD_MS);
}

function clockOn(clocks: readonly DatedClock[], date: string): DatedClock | undefined {
  return clocks.find(({ from_date }) => from_date <= date);
}

function reachedDates(clock: DatedClock, { now, dates }: Moment): ReachedDates {
  const key = `${clock.time_zone} ${clock.census_time}`;
  const known = dates.get(key);
  if (known) return known;
  const running = censusDateOf(now, clock);
  const counted = newestCensusDate(now, clock);
  const isNear = censusInstant(running, clock).getTime() - now.getTime() <= AHEAD_MS;
  const reached = { counted, reached: isNear ? running : counted };
  dates.set(key, reached);
  return reached;
}

/** From which date on a facility counts by which clock. */
interface DatedClock {
  readonly from_date: string;
  readonly time_zone: string;
  readonly census_time: string;
  readonly grace_minutes: number;
}

interface FacilityClocks {
  readonly facility_no: number;
  /** The newest first. */
  readonly clocks: readonly DatedClock[];
  /** The newest day that was made. */
  readonly newest: string | null;
}

/** Every facility that takes a census, with its clocks. */
async function findClocks(db: Database): Promise<FacilityClocks[]> {
  const found = await sql<FacilityClocks>`
    select c.facility_no,
      (select json_agg(json_build_object('from_date', h.from_date, 'time_zone', h.time_zone,
          'census_time', to_char(h.census_time, 'HH24:MI'), 'grace_minutes', h.grace_minutes) order by h.from_date desc)
        from census_hours h where h.facility_no = c.facility_no) as clocks,
      (select max(d.census_date) from facility_days d where d.facility_no = c.facility_no) as newest
    from census_facilities c join facilities f on f.id = c.facility_id and f.deactivated_at is null
    where exists (select from census_units u where u.facility_no = c.facility_no and u.counts_in_census)
    order by c.facility_no`.execute(db);
  return found.rows;
}

/**
 * Makes these days, with what is expected of each, in the facilities that nobody is changing; what another process made
 * meanwhile stays. Returns how many it made.
 */
async function insertDays(tx: DatabaseTransaction, wanted: readonly NewFacilityDay[]): Promise<number> {
  const held = await holdFacilities(
    tx,
    wanted.map(({ facilityNo }) => facilityNo),
  );
  const days = wanted.filter(({ facilityNo }) => held.has(facilityNo));
  const column = <T>(of: (day: NewFacilityDay) => T) => days.map(of);
  const made = await sql`
    with made as (
      insert into facility_days (facility_no, census_date, time_zone, utc_offset_minutes, census_at, due_at)
      select * from unnest(${column((day) => day.facilityNo)}::integer[], ${column((day) => day.date)}::date[],
        ${column((day) => day.timeZone)}::text[], ${column((day) => day.utcOffsetMinutes)}::smallint[],
        ${column((day) => day.censusAt.toISOString())}::timestamptz[],
        ${column((day) => day.dueAt.toISOString())}::timestamptz[])
      on conflict do nothing returning facility_no, census_date
    )
    select facility_no from made`.execute(tx);
  await sql`
    select refresh_facility_days(facility_no, census_date, census_date)
    from unnest(${column((day) => day.facilityNo)}::integer[], ${column((day) => day.date)}::date[])
      as made (facility_no, census_date)`.execute(tx);
  return made.rows.length;
}
