import { dayIn, formatDay, timeIn } from '#/shared/time/zoned-time.ts';

/** `14:02`, or with its day where that is another one than today's in the facility. */
export function formatWhen(zone: string, at: number, now: number): string {
  const [day, today] = [dayIn(zone, at), dayIn(zone, now)];
  const time = timeIn(zone, at);
  return day === today ? time : `${formatDay(day, today)}, ${time}`;
}

/** `09:00 – 21:00`, each with its day where one would not know it. */
export function formatSpan(zone: string, { from, to, now }: { from: number; to: number; now: number }): string {
  const [first, last] = [dayIn(zone, from), dayIn(zone, to)];
  const end = first === last ? timeIn(zone, to) : `${formatDay(last, dayIn(zone, now))}, ${timeIn(zone, to)}`;
  return `${formatWhen(zone, from, now)} – ${end}`;
}
