import { addDays, type CensusDate, daysBetween, isCalendarDate } from '@wardline/census/calendar.ts';
import { formatMonth, formatRange } from '@wardline/format/periods.ts';
import { formatDay } from '#/shared/time/zoned-time.ts';

export const PERIOD_KINDS = ['day', 'month', 'quarter', 'year', 'range'] as const;
export type PeriodKind = (typeof PERIOD_KINDS)[number];

/** What a summary is about: census dates from one to another, both included. */
export interface Period {
  readonly kind: PeriodKind;
  readonly from: CensusDate;
  readonly to: CensusDate;
}

/** The server sums at most so many days. */
export const LONGEST_PERIOD = 3700;

const MONTHS: Readonly<Partial<Record<PeriodKind, number>>> = { month: 1, quarter: 3, year: 12 };

/** The day, month, quarter or year that a date lies in; a range is given as it is. */
export function periodAround(kind: PeriodKind, date: CensusDate): Period {
  const months = MONTHS[kind];
  if (months === undefined) return { kind, from: date, to: date };
  const month = Number(date.slice(5, 7)) - 1;
  const from = addMonths(`${date.slice(0, 7)}-01`, -(month % months));
  return { kind, from, to: addDays(addMonths(from, months), -1) };
}

/** The period that an address names; one that makes no sense is the newest day. */
export function readPeriod(search: URLSearchParams, newest: CensusDate): Period {
  const kind = PERIOD_KINDS.find((known) => known === search.get('by')) ?? 'day';
  const from = search.get('from') ?? '';
  const to = search.get('to') ?? from;
  if (!isCalendarDate(from) || !isCalendarDate(to)) return periodAround(kind === 'range' ? 'day' : kind, newest);
  if (kind !== 'range') return periodAround(kind, from);
  const [first, last] = from <= to ? [from, to] : [to, from];
  return {
    kind,
    from: first,
    to: daysBetween(first, last) < LONGEST_PERIOD ? last : addDays(first, LONGEST_PERIOD - 1),
  };
}

/** The same length so many steps later, or earlier. */
export function stepPeriod({ kind, from, to }: Period, steps: number): Period {
  const months = MONTHS[kind];
  if (months !== undefined) return periodAround(kind, addMonths(from, months * steps));
  const days = daysBetween(from, to) + 1;
  return { kind, from: addDays(from, days * steps), to: addDays(to, days * steps) };
}

/** The same period a year before; a day is compared with the same weekday, 52 weeks earlier. */
export function yearBefore({ kind, from, to }: Period): Period {
  if (kind === 'day') return { kind, from: addDays(from, -364), to: addDays(to, -364) };
  if (kind !== 'range') return periodAround(kind, addMonths(from, -12));
  return { kind, from: sameDayMonthsLater(from, -12), to: sameDayMonthsLater(to, -12) };
}

/** So many days of it from its first, as a range; all of it where it has no more. */
export function firstDays(period: Period, days: number): Period {
  const to = addDays(period.from, Math.max(1, days) - 1);
  return to >= period.to ? period : { kind: 'range', from: period.from, to };
}

/** `Thu 19 Nov 2026`, `November 2026`, `Q4 2026`, `2026`, `2 to 19 Nov 2026`. */
export function formatPeriod({ kind, from, to }: Period): string {
  const year = from.slice(0, 4);
  if (kind === 'year') return year;
  if (kind === 'quarter') return `Q${Math.ceil(Number(from.slice(5, 7)) / 3)} ${year}`;
  return kind === 'month' ? formatMonth(from) : formatRange(from, to, fullDay);
}

/** A census date with weekday and year. */
export function fullDay(date: CensusDate): string {
  return formatDay(date, '');
}

/** A census date with its weekday; the year is said when it is another than that of the day it stands beside. */
export function shortDay(date: CensusDate, beside: CensusDate = date): string {
  return formatDay(date, beside);
}

/** `by=day&from=…&to=…`, as the address carries it. */
export function periodSearch({ kind, from, to }: Period): string {
  return new URLSearchParams({ by: kind, from, to }).toString();
}

/** The address of a day on the summary of a facility. */
export function summaryDayPath(date: CensusDate, facilityId: string): string {
  return `/census-summary?${periodSearch(periodAround('day', date))}&facility=${facilityId}`;
}

function addMonths(date: CensusDate, months: number): CensusDate {
  return new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1 + months, 1))
    .toISOString()
    .slice(0, 10);
}

/** 29 February has no twin in most years: the last day of the month stands for it. */
function sameDayMonthsLater(date: CensusDate, months: number): CensusDate {
  const first = addMonths(date, months);
  const wanted = `${first.slice(0, 7)}-${date.slice(8)}`;
  return isCalendarDate(wanted) ? wanted : addDays(addMonths(first, 1), -1);
}
