import { hourIn } from '@wardline/format/clocks.ts';
import type { Random } from './random.ts';

/** How busy each hour of the day is in a hospital's talk: handovers at 7 and 19, the small hours thin. */
const BUSY = [3, 2, 2, 2, 2, 3, 6, 14, 10, 9, 10, 11, 9, 10, 9, 8, 8, 9, 10, 14, 8, 6, 5, 4];
const HOUR_MS = 3_600_000;

/** `count` instants in rising order over the days before `end`, spread as the zone's day goes. */
export function instantsBefore(
  end: Date,
  { count, days, timeZone, random }: { count: number; days: number; timeZone: string; random: Random },
): Date[] {
  const hours = Array.from({ length: days * 24 }, (_, index) => end.getTime() - (days * 24 - index) * HOUR_MS);
  const weights = hours.map((start) => (BUSY[hourIn(timeZone, start)] ?? 1) * (0.7 + 0.6 * random.next()));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const instants: number[] = [];
  let due = 0;
  for (const [index, start] of hours.entries()) {
    due += ((weights[index] ?? 0) / total) * count;
    while (instants.length < Math.round(due)) instants.push(start + random.below(HOUR_MS));
  }
  while (instants.length < count) instants.push(end.getTime() - random.below(HOUR_MS));
  return instants
    .slice(0, count)
    .sort((a, b) => a - b)
    .map((instant) => new Date(instant));
}
