import { daysBetween, isCalendarDate } from '@wardline/census/calendar.ts';
import { formatCount } from '@wardline/format/counts.ts';
import { invalidField } from '#/platform/http/app-error.ts';

export interface DateRange {
  readonly from: string;
  readonly to: string;
}

const LAST_DATE = '2999-12-31';

/** 422 for a range that runs backwards, is longer than it may be, or lies where no census was or will be. */
export function mustBeRange({ from, to }: DateRange, mostDays: number): void {
  for (const [field, date] of Object.entries({ from, to })) {
    if (!isCalendarDate(date) || date > LAST_DATE) throw invalidField(field, 'This is not a date of a census.');
  }
  if (to < from) throw invalidField('to', 'The range ends before it begins.');
  if (daysBetween(from, to) >= mostDays) {
    throw invalidField('to', `A range has at most ${formatCount(mostDays)} days.`);
  }
}

/** How many days two ranges share. */
export function sharedDays(one: DateRange, other: DateRange): number {
  const from = one.from > other.from ? one.from : other.from;
  const to = one.to < other.to ? one.to : other.to;
  return to < from ? 0 : daysBetween(from, to) + 1;
}
