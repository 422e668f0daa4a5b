import { weekdayIndex } from './dates.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** `{ short: 'Mon', long: 'Monday' }` to Sunday. */
export function weekdayNames(): { short: string; long: string }[] {
  return WEEKDAYS.map((long) => ({ short: long.slice(0, 3), long }));
}

/** `November 2026`, of a date or a month (`2026-11`). */
export function formatMonth(date: string): string {
  return `${MONTHS[Number(date.slice(5, 7)) - 1] ?? ''} ${date.slice(0, 4)}`;
}

/** `Tue 17 Nov to Fri 20 Nov`; one date where both ends are the same. */
export function formatRange(from: string, to: string, say: (date: string) => string): string {
  return from === to ? say(from) : `${say(from)} to ${say(to)}`;
}

/** `Saturday`, of a date. */
export function formatWeekday(date: string): string {
  return weekdayNames()[weekdayIndex(date)]?.long ?? '';
}
