import type { CensusAlert } from '@wardline/contract/census-facility.ts';
import { dayIn, dayWords, timeIn } from '#/page/zoned-time.ts';

/** What became of an alert: `Acknowledged by Ruth Calloway, 14:02`; null while it waits for somebody. */
export function outcomeWords(alert: CensusAlert, now: number, zone: string): string | null {
  const { acknowledged_at, acknowledged_by, cleared_at } = alert;
  if (acknowledged_at !== null)
    return `Acknowledged by ${acknowledged_by?.name ?? 'somebody'}, ${momentWords(acknowledged_at, now, zone)}`;
  return cleared_at ? `Cleared, ${momentWords(cleared_at, now, zone)}` : null;
}

/** The time, with the day when it is another one. */
function momentWords(instant: string, now: number, zone: string): string {
  const at = Date.parse(instant);
  const [day, today] = [dayIn(zone, at), dayIn(zone, now)];
  return day === today ? timeIn(zone, at) : `${dayWords(day, today)}, ${timeIn(zone, at)}`;
}
