import { addDays, censusInstant, dateIn, existsIn } from '@wardline/census/calendar.ts';
import type { CensusFacility, DatedClock } from './current-config-queries.ts';

const MINUTE_MS = 60_000;

/** The newest census date of a facility that has been counted, on the clock that held for it. */
export interface NewestCount {
  readonly date: string;
  readonly timeZone: string;
  readonly censusAt: Date;
  readonly dueAt: Date;
}

/** Looks back from the day after today: a clock that was changed holds for the dates from the change on. */
export function newestCount({ clocks }: Pick<CensusFacility, 'clocks'>, now: Date): NewestCount {
  const [newest] = clocks;
  if (!newest) throw new Error('a facility without a clock');
  for (let date = addDays(dateIn(newest.time_zone, now), 1); ; date = addDays(date, -1)) {
    const clock = clockOf(clocks, date) ?? newest;
    if (!existsIn(date, clock.time_zone)) continue;
    const censusAt = censusInstant(date, clock);
    if (censusAt.getTime() > now.getTime()) continue;
    const dueAt = new Date(censusAt.getTime() + clock.grace_minutes * MINUTE_MS);
    return { date, timeZone: clock.time_zone, censusAt, dueAt };
  }
}

function clockOf(clocks: readonly DatedClock[], date: string): DatedClock | undefined {
  return clocks.find(({ from_date }) => from_date <= date);
}
