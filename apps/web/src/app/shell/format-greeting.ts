import { dateFormat, dayIn, formatDay, timeIn } from '#/shared/time/zoned-time.ts';

/** `Good evening, Ana · Fri 20 Nov, 00:38`, by the clock of the facility. */
export function greetingLine(name: string, zone: string, now: number, locale?: string): string {
  const day = dayIn(zone, now);
  const first = name.split(/\s+/).find((part) => !part.endsWith('.')) ?? name;
  return `${greeting(zone, now)}, ${first} · ${formatDay(day, day, locale)}, ${timeIn(zone, now, locale)}`;
}

function greeting(zone: string, now: number): string {
  const hour = Number(dateFormat('en-GB', zone, { hour: '2-digit', hourCycle: 'h23' }).format(now));
  if (hour >= 5 && hour < 12) return 'Good morning';
  return hour >= 12 && hour < 18 ? 'Good afternoon' : 'Good evening';
}
