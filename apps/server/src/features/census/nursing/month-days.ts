import { addDays } from '@wardline/census/calendar.ts';

/** The first day of a month that is given as `YYYY-MM`. */
export function firstDayOf(month: string): string {
  return `${month}-01`;
}

/** Its last day. */
export function lastDayOf(month: string): string {
  const next = addDays(firstDayOf(month), 31);
  return addDays(firstDayOf(next.slice(0, 7)), -1);
}
