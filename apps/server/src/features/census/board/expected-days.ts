import { addDays, FIRST_DATE } from '@wardline/census/calendar.ts';
import type { Population } from '@wardline/contract/census/census.ts';
import type { CensusUnit } from './current-config-queries.ts';
import { type DateRange, sharedDays } from './date-range.ts';

/** On how many days of a period this unit owes a report for the population. */
export function expectedDays(unit: CensusUnit, population: Population, period: DateRange): number {
  const open = unit.open[population];
  if (!open) return 0;
  const last = open.until === null ? period.to : addDays(open.until, -1);
  return sharedDays({ from: open.from ?? FIRST_DATE, to: last }, period);
}

/** True for a date on which the unit reports the population. */
export function isOpenOn(unit: CensusUnit, population: Population, date: string): boolean {
  return expectedDays(unit, population, { from: date, to: date }) === 1;
}

/** The part of a period that has been counted; null where none of it has. */
export function countedPart({ from, to }: DateRange, newest: string): DateRange | null {
  if (from > newest) return null;
  return { from, to: to < newest ? to : newest };
}
