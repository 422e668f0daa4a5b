import { formatMinutesAgo } from '@wardline/format/times.ts';
import { dayIn, formatDay, timeIn } from '#/shared/time/zoned-time.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The words on a day separator: `Fri 20 Nov, today`, `Thu 19 Nov, yesterday`, `Wed 18 Nov`. */
export function dayLabel(day: string, today: string): string {
  const text = formatDay(day, today);
  if (day === today) return `${text}, today`;
  return day === dayBefore(today) ? `${text}, yesterday` : text;
}

/** When something was last said, short: `now`, `8 min ago`, `14:02`, `Thu 21:34`, `Wed 18 Nov`. */
export function lastSaid(instant: number, now: number, zone: string): string {
  const ago = now - instant;
  if (ago < minuteMs && ago > -hourMs) return 'now';
  if (ago < hourMs && ago > 0) return formatMinutesAgo(ago);
  const today = dayIn(zone, now);
  const day = dayIn(zone, instant);
  if (day === today) return timeIn(zone, instant);
  const text = formatDay(day, today);
  return day === dayBefore(today) ? `${text.split(' ', 1)[0]} ${timeIn(zone, instant)}` : text;
}

function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) - dayMs).toISOString().slice(0, 10);
}
