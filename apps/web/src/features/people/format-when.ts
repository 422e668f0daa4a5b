import { dayIn, formatDay, timeIn } from '#/shared/time/zoned-time.ts';

/** `14:02`, or with its day where that is another one than today's in the facility. */
export function formatWhen(zone: string, at: number, now: number): string {
  const [day, today] = [dayIn(zone, at), dayIn(zone, now)];
  const time = timeIn(zone, at);
  return day === today ? time : `${formatDay(day, today)}, ${time}`;
}
