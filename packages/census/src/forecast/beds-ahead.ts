import type { CensusDate } from '../calendar.ts';

/** Staffed beds of a unit between two dates: `from` the first (null: always so far), `until` the first on which they hold no more (null: open). */
export interface DatedBeds {
  readonly from: CensusDate | null;
  readonly until: CensusDate | null;
  readonly staffed: number;
}

/** How many beds are staffed on a date as the settings say; null where they say nothing of it. */
export function staffedOn(plan: readonly DatedBeds[], date: CensusDate): number | null {
  const holding = plan.find(({ from, until }) => (from === null || from <= date) && (until === null || date < until));
  return holding?.staffed ?? null;
}

/** A coming day: who is expected in units with beds, the beds staffed on that day, and who is expected in units without. */
export interface DayAhead {
  readonly census_date: CensusDate;
  readonly value: number;
  readonly beds: number | null;
  readonly outside: number | null;
}

/** `over_beds`: more in units with beds than these have. `with_outside`: they have room, but not for who waits outside as well. */
export interface Shortage<Day extends DayAhead> {
  readonly kind: 'over_beds' | 'with_outside';
  readonly day: Day;
}

/**
 * The first day on which the beds of that day do not do, by tenths of a patient, which is how they are told; null where they
 * do on all. A day over the beds comes before one that is short only with those outside, also where it is later.
 */
export function firstShortage<Day extends DayAhead>(days: readonly Day[]): Shortage<Day> | null {
  const over = days.find(({ value, beds }) => isOver(value, beds));
  if (over) return { kind: 'over_beds', day: over };
  const short = days.find(({ value, beds, outside }) => outside !== null && isOver(value + outside, beds));
  return short ? { kind: 'with_outside', day: short } : null;
}

function isOver(patients: number, beds: number | null): boolean {
  return beds !== null && Math.round(patients * 10) > beds * 10;
}
