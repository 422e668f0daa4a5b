import { firstInstant } from '@wardline/census/calendar.ts';
import { wallTime } from '@wardline/format/zone.ts';

const MINUTE_MS = 60_000;

/** What the facility's clock shows, as a field of date and time holds it. */
export function toLocalTime(at: number, zone: string): string {
  return new Date(wallTime(zone, Math.floor(at / MINUTE_MS) * MINUTE_MS)).toISOString().slice(0, 16);
}

/** What a field of date and time holds, by the facility's clock. */
export function readLocalTime(text: string, zone: string): string {
  return firstInstant(text.slice(0, 10), text.slice(11, 16), zone).toISOString();
}
