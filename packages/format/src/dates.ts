import type { DateOrder } from './facility-format.ts';

const WEEKDAYS = 'MonTueWedThuFriSatSun';
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/** The place of a calendar date (`YYYY-MM-DD`, of no zone) in its week: Monday is 0. */
export function weekdayIndex(date: string): number {
  return (new Date(`${date}T12:00:00Z`).getUTCDay() + 6) % 7;
}

/** `Nov`, of a date or a month (`2026-11`). */
export function shortMonth(date: string): string {
  return MONTHS.substring(Number(date.slice(5, 7)) * 3 - 3).slice(0, 3);
}

/** `Sat 21 Nov` or `Sat Nov 21`; with the year where it is not that of the date it stands beside (none: always). */
export function formatDay(date: string, order: DateOrder, beside = ''): string {
  const isSameYear = date.slice(0, 4) === beside.slice(0, 4);
  const day = isSameYear ? dayAndMonth(date, order) : formatDate(date, order);
  return `${WEEKDAYS.substring(weekdayIndex(date) * 3).slice(0, 3)} ${day}`;
}

/** `21 Nov 2026` or `Nov 21, 2026`. */
export function formatDate(date: string, order: DateOrder): string {
  return `${dayAndMonth(date, order)}${order === 'mdy' ? ',' : ''} ${date.slice(0, 4)}`;
}

function dayAndMonth(date: string, order: DateOrder): string {
  const day = Number(date.slice(8, 10));
  return order === 'mdy' ? `${shortMonth(date)} ${day}` : `${day} ${shortMonth(date)}`;
}
