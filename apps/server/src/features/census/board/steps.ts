import { addDays } from '@wardline/census/calendar.ts';
import type { SummaryStep } from '@wardline/contract/census/summary.ts';
import type { DateRange } from './date-range.ts';

/** The calendar periods of a range in time's order; the first and the last are cut where the range cuts them. */
export function stepsOf(range: DateRange, by: SummaryStep): DateRange[] {
  const steps: DateRange[] = [];
  for (let from = range.from; from <= range.to; ) {
    const end = lastDayOf(from, by, range);
    const to = end < range.to ? end : range.to;
    steps.push({ from, to });
    from = addDays(to, 1);
  }
  return steps;
}

const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

function lastDayOf(date: string, by: SummaryStep, range: DateRange): string {
  if (by === 'total') return range.to;
  if (by === 'day') return date;
  const [year = 0, month = 0] = date.split('-').map(Number);
  const lastMonth = Math.ceil(month / MONTHS[by]) * MONTHS[by];
  return new Date(Date.UTC(year, lastMonth, 0)).toISOString().slice(0, 10);
}

/** The first day of the calendar period that a date is in; null for the whole range. */
export function firstDayOf(date: string, by: SummaryStep): string | null {
  if (by === 'total') return null;
  if (by === 'day') return date;
  const [year = '', month = ''] = date.split('-');
  const firstMonth = Math.ceil(Number(month) / MONTHS[by]) * MONTHS[by] - MONTHS[by] + 1;
  return new Date(Date.UTC(Number(year), firstMonth - 1)).toISOString().slice(0, 10);
}

export function monthOf(date: string): string {
  return `${date.slice(0, 7)}-01`;
}

/** The parts of a range: whole calendar months, whose sums are kept, and the days before and after them. */
export interface RangeSteps {
  /** First days of the first and of the last whole month; null where the range holds none. */
  readonly months: { readonly first: string; readonly last: string } | null;
  readonly days: readonly DateRange[];
}

export function partsOf(range: DateRange): RangeSteps {
  const months = stepsOf(range, 'month');
  const isWhole = ({ from, to }: DateRange) => from === monthOf(from) && monthOf(addDays(to, 1)) !== monthOf(to);
  const whole = months.filter(isWhole);
  const [first, last] = [whole[0], whole.at(-1)];
  return {
    months: first && last ? { first: first.from, last: last.from } : null,
    days: months.filter((month) => !isWhole(month)),
  };
}
