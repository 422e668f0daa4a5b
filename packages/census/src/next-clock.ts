import { addDays, type CensusClock, type CensusDate, censusInstant, existsIn } from './calendar.ts';

/** The last census date whose clock is fixed, and the instant at which it is counted, in milliseconds. */
export interface FixedDate {
  readonly date: CensusDate;
  readonly countedAt: number;
}

/**
 * The first census date that another clock can count: after the last one that is fixed, and after its count, since a count
 * cannot come before the one of the day before.
 */
export function firstDateOfClock(clock: CensusClock, fixed: FixedDate): CensusDate {
  let date = addDays(fixed.date, 1);
  while (!existsIn(date, clock.time_zone) || censusInstant(date, clock).getTime() <= fixed.countedAt) {
    date = addDays(date, 1);
  }
  return date;
}
