import { offsetMinutes } from '@wardline/census/calendar.ts';

/** The zones that this device knows by name. */
export function knownZones(): readonly string[] {
  return Intl.supportedValuesOf('timeZone');
}

/** True for a zone that this device can count in, also by one of its older names. */
export function isZone(text: string): boolean {
  try {
    return text.trim() !== '' && new Intl.DateTimeFormat('en', { timeZone: text.trim() }) !== null;
  } catch {
    return false;
  }
}

/** How a zone's clocks stand to UTC at an instant: `UTC+08:00`. */
export function offsetWords(zone: string, instant: Date): string {
  const minutes = offsetMinutes(instant, zone.trim());
  const two = (value: number) => String(Math.trunc(value)).padStart(2, '0');
  return `UTC${minutes < 0 ? '−' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}
