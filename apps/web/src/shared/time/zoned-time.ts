import { formatDate, formatDay as formatDayAs } from '@wardline/format/dates.ts';
import { formatExact, formatSeconds, formatTime } from '@wardline/format/times.ts';
import { shownFormat } from './shown-format.ts';

export { dateIn as dayIn, deviceZone } from '@wardline/format/zone.ts';

/** The time of day as the facility in view writes it: `14:02`, `2:02 PM`. */
export function timeIn(zone: string, instant: number): string {
  return formatTime(zone, instant, shownFormat().hour_cycle);
}

/** The same with seconds. */
export function secondsIn(zone: string, instant: number): string {
  return formatSeconds(zone, instant, shownFormat().hour_cycle);
}

/** The moment in full with how its clock stands to UTC, for tooltips and screen readers. */
export function momentIn(zone: string, instant: number): string {
  return formatExact(zone, instant, shownFormat());
}

/** A calendar day with its weekday, e.g. `Thu 19 Nov`; the year is said when it is not this one. */
export function formatDay(day: string, today: string): string {
  return formatDayAs(day, shownFormat().date_order, today);
}

/** A day of birth, e.g. `14 Mar 1948`. */
export function formatBirthDate(day: string): string {
  return formatDate(day, shownFormat().date_order);
}
