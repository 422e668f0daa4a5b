import { dayIn, formatDay, timeIn } from './zoned-time.ts';

/** The time of day of an instant; before it the day when that is not the one of `now`: `Wed 18 Nov, 14:02`. */
export function formatClock(zone: string, instant: number, now: number): string {
  const [day, today] = [dayIn(zone, instant), dayIn(zone, now)];
  const time = timeIn(zone, instant);
  return day === today ? time : `${formatDay(day, today)}, ${time}`;
}
