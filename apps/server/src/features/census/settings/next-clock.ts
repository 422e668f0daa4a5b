import { addDays, censusDateOf, censusInstant, existsIn } from '@wardline/census/calendar.ts';
import type { Clock } from './settings-queries.ts';

interface Change {
  readonly from: Clock;
  readonly to: Clock;
  /** The newest day that was made, whose clock stays. */
  readonly newest: string | null;
  readonly now: Date;
}

/**
 * The first census date that another clock can count: after the one that is under way and after every day that was made, and
 * after the last count of the old clock, since a count cannot come before the one of the day before.
 */
export function firstDateOf({ from, to, newest, now }: Change): string {
  const running = censusDateOf(now, from);
  const last = newest !== null && newest > running ? newest : running;
  const lastCount = censusInstant(last, from).getTime();
  let date = addDays(last, 1);
  while (!existsIn(date, to.time_zone) || censusInstant(date, to).getTime() <= lastCount) date = addDays(date, 1);
  return date;
}
