import { hourIn } from '@wardline/format/clocks.ts';
import { firstName } from '@wardline/format/names.ts';
import { dayIn, formatDay, timeIn } from '#/shared/time/zoned-time.ts';

/** `Good evening, Ana · Fri 20 Nov, 00:38`, by the clock of the facility. */
export function greetingLine(name: string, zone: string, now: number): string {
  const day = dayIn(zone, now);
  return `${greeting(zone, now)}, ${firstName(name)} · ${formatDay(day, day)}, ${timeIn(zone, now)}`;
}

function greeting(zone: string, now: number): string {
  const hour = hourIn(zone, now);
  if (hour >= 5 && hour < 12) return 'Good morning';
  return hour >= 12 && hour < 18 ? 'Good afternoon' : 'Good evening';
}
