import { formatDay } from './dates.ts';
import type { FacilityFormat, HourCycle } from './facility-format.ts';
import { dateIn, offsetMinutes, wallTime } from './zone.ts';

const MINUTE_MS = 60_000;

/** The time of day of an instant (ms) on the clocks of a zone: `14:02` or `2:02 PM`. */
export function formatTime(zone: string, instant: number, cycle: HourCycle): string {
  return timeOnWall(wallTime(zone, instant), cycle, 16);
}

/** The same with seconds: `14:02:33` or `2:02:33 PM`. */
export function formatSeconds(zone: string, instant: number, cycle: HourCycle): string {
  return timeOnWall(wallTime(zone, instant), cycle, 19);
}

/** An instant in full, with how that clock stood to UTC: `Thu 19 Nov 2026, 14:02:33 UTC+08:00`. */
export function formatExact(zone: string, instant: number, { hour_cycle, date_order }: FacilityFormat): string {
  const day = formatDay(dateIn(zone, instant), date_order);
  return `${day}, ${formatSeconds(zone, instant, hour_cycle)} ${formatOffset(zone, instant)}`;
}

/** How a zone's clocks stand to UTC at an instant: `UTC+08:00`. */
export function formatOffset(zone: string, instant: number): string {
  const minutes = offsetMinutes(zone, instant);
  const clock = new Date(Math.abs(minutes) * MINUTE_MS).toISOString().slice(11, 16);
  return `UTC${minutes < 0 ? '−' : '+'}${clock}`;
}

/** `8 min ago`, for what is under an hour old; `now` under a minute, also where a clock is a little behind. */
export function formatMinutesAgo(past: number): string {
  return past < MINUTE_MS ? 'now' : `${Math.floor(past / MINUTE_MS)} min ago`;
}

/** Of what a clock on the wall shows (`wallTime`): to the minute with 16, to the second with 19. */
export function timeOnWall(wall: number, cycle: HourCycle, end: 16 | 19): string {
  const date = new Date(wall);
  const time = date.toISOString().slice(11, end);
  if (cycle === 'h23') return time;
  const hour = date.getUTCHours();
  return `${hour % 12 === 0 ? 12 : hour % 12}${time.slice(2)} ${hour < 12 ? 'AM' : 'PM'}`;
}
