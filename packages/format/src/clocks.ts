import { formatDay } from './dates.ts';
import type { FacilityFormat, HourCycle } from './facility-format.ts';
import { formatTime, timeOnWall } from './times.ts';
import { dateIn, wallTime } from './zone.ts';

/** The time of day; before it the day where that is not the one of `now`: `Wed 18 Nov, 14:02`. */
export function formatClock(zone: string, instant: number, { now, format }: ClockOptions): string {
  const [date, today] = [dateIn(zone, instant), dateIn(zone, now)];
  const time = formatTime(zone, instant, format.hour_cycle);
  return date === today ? time : `${formatDay(date, format.date_order, today)}, ${time}`;
}

interface ClockOptions {
  readonly now: number;
  readonly format: FacilityFormat;
}

/** A time of day that was set as `HH:MM`: `07:00` or `7:00 AM`. */
export function formatTimeOfDay(time: string, cycle: HourCycle): string {
  return timeOnWall(Date.parse(`1970-01-01T${time}:00Z`), cycle, 16);
}

/** The hour of the day, 0 to 23. */
export function hourIn(zone: string, instant: number): number {
  return new Date(wallTime(zone, instant)).getUTCHours();
}
