import { formatMinutesAgo } from '@wardline/format/times.ts';
import { dayIn, formatDay, timeIn } from '#/shared/time/zoned-time.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** When something was last seen, by the clock of this device: `now`, `8 min ago`, `today, 14:02`, `Wed 18 Nov, 15:12`. */
export function formatLastSeen(instant: number, now: number, { zone }: { readonly zone: string }): string {
  const ago = now - instant;
  if (ago < minuteMs) return 'now';
  if (ago < hourMs) return formatMinutesAgo(ago);
  const today = dayIn(zone, now);
  const day = dayIn(zone, instant);
  return `${day === today ? 'today' : formatDay(day, today)}, ${timeIn(zone, instant)}`;
}
