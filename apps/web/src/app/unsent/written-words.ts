import { dayIn, dayWords, timeIn } from '#/page/zoned-time.ts';

/** When something was written: the time, with the day where that is not today. */
export function writtenWords(zone: string, at: number, today: string): string {
  const day = dayIn(zone, at);
  return day === today ? timeIn(zone, at) : `${dayWords(day, today)}, ${timeIn(zone, at)}`;
}
