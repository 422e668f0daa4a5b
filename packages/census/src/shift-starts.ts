import { addDays, dateIn, existsIn, firstInstant } from './calendar.ts';

/** When a shift of a facility begins, `HH:MM` on its clock, and what the shift is called there. */
export interface ShiftStart {
  readonly name: string;
  readonly time: string;
}

interface Asked {
  readonly zone: string;
  readonly now: Date;
  /** How many at most. */
  readonly most: number;
}

/**
 * The shifts that have begun, that of now first. Where the clock skips a start, its shift begins at the leap, and of two that begin at
 * once the later one counts; where the clock shows a start twice, the first time counts.
 */
export function begunShifts(
  starts: readonly ShiftStart[],
  { zone, now, most }: Asked,
): { readonly name: string; readonly since: Date }[] {
  const today = dateIn(zone, now);
  // One day more than they fill: today's may be still to come, and a zone can have skipped a date.
  const days = Math.ceil(most / starts.length) + 2;
  const dates = Array.from({ length: days }, (_, back) => addDays(today, -back)).filter((date) => existsIn(date, zone));
  const latestFirst = starts.toSorted((a, b) => b.time.localeCompare(a.time));
  const begun = dates
    .flatMap((date) => latestFirst.map(({ name, time }) => ({ name, since: firstInstant(date, time, zone) })))
    .filter(({ since }) => since <= now);
  return begun.filter(({ since }, at) => at === 0 || begun[at - 1]?.since.getTime() !== since.getTime()).slice(0, most);
}
