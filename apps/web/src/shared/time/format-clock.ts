import { formatClock as formatClockAs } from '@wardline/format/clocks.ts';
import { shownFormat } from './shown-format.ts';

/** The time of day of an instant; before it the day when that is not the one of `now`: `Wed 18 Nov, 14:02`. */
export function formatClock(zone: string, instant: number, now: number): string {
  return formatClockAs(zone, instant, { now, format: shownFormat() });
}
