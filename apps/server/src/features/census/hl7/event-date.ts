import {
  addDays,
  type CensusClock,
  censusDateOf,
  censusInstant,
  dateIn,
  existsIn,
  FIRST_DATE,
} from '@wardline/census/calendar.ts';

/** A clock of a facility; it counts the dates from this one on. */
export interface DatedClock extends CensusClock {
  readonly from_date: string;
}

/** A zone and an hour together move the date of an instant by less than this. */
const REACH_DAYS = 2;

/**
 * The census date to which something that happened at this instant belongs: the first whose count is not before it, each date
 * counted by the clock that holds for it. The clocks of the facility are given the newest first.
 */
export function eventDate(instant: Date, clocks: readonly DatedClock[]): string {
  const [newest] = clocks;
  if (!newest) throw new Error('a facility without a clock takes no census');
  const latest = censusDateOf(instant, newest);
  if (latest > newest.from_date) return latest;
  const earliest = addDays(dateIn('UTC', instant), -REACH_DAYS);
  let date = earliest < FIRST_DATE ? FIRST_DATE : earliest;
  while (!isCountedAfter(instant, date, clocks.find(({ from_date }) => from_date <= date) ?? newest)) {
    date = addDays(date, 1);
  }
  return date;
}

function isCountedAfter(instant: Date, date: string, clock: CensusClock): boolean {
  return existsIn(date, clock.time_zone) && censusInstant(date, clock) > instant;
}
