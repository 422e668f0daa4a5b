import { dateIn as dateInZone, offsetMinutes, wallTime } from '@wardline/format/zone.ts';

/** A calendar date in no zone, `YYYY-MM-DD`. */
export type CensusDate = string;

/** When and by which clock a facility takes its census, as it was for the date in question. */
export interface CensusClock {
  /** IANA name. */
  readonly time_zone: string;
  /** HH:MM; 00:00 is the end of the census date, any other time lies within it. */
  readonly census_time: string;
}

const DAY_MS = 86_400_000;
const REACH_MS = 15 * 3_600_000;
/** An instant to the second on a zone's clock, with its offset: `2026-11-20T00:20:00+08:00`, always 25 characters. */
export function zonedInstant(instant: Date, zone: string): string {
  const wall = new Date(wallTime(zone, instant.getTime())).toISOString().slice(0, 19);
  const offset = offsetMinutes(zone, instant.getTime());
  const ahead = new Date(Math.abs(offset) * 60_000).toISOString().slice(11, 16);
  return `${wall}${offset < 0 ? '-' : '+'}${ahead}`;
}

/** The first date of a census: no earlier one is taken, read or counted. */
export const FIRST_DATE: CensusDate = '1900-01-01';

/** True for a day of the calendar: 2027-02-29 is none. Years 1900 to 9999. */
export function isCalendarDate(date: string): boolean {
  if (!/^(19|[2-9]\d)\d{2}-\d{2}-\d{2}$/.test(date)) return false;
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

/** The date so many days later, or earlier. */
export function addDays(date: CensusDate, days: number): CensusDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Days from one date to another; 0 for the same one. */
export function daysBetween(from: CensusDate, to: CensusDate): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;
}

/** Every date from one to another, both included. */
export function datesFrom(from: CensusDate, to: CensusDate): CensusDate[] {
  return Array.from({ length: Math.max(0, daysBetween(from, to) + 1) }, (_, index) => addDays(from, index));
}

/**
 * The first instant at which the zone's clocks show this time of this date, or a later one: where the time is skipped, the
 * moment of the leap; where it comes twice, its first.
 */
export function firstInstant(date: CensusDate, time: string, zone: string): Date {
  const wanted = Date.parse(`${date}T${time}:00Z`);
  // No zone is further than 14 hours from UTC: the answer lies between these two, and clocks change at most once there.
  const offsets = new Set([wanted - REACH_MS, wanted + REACH_MS].map((instant) => wallTime(zone, instant) - instant));
  const [offset = 0, ...others] = offsets;
  if (others.length === 0) return new Date(wanted - offset);
  const exact = [...offsets]
    .map((offset) => wanted - offset)
    .filter((instant) => wallTime(zone, instant) === wanted)
    .sort((a, b) => a - b)[0];
  if (exact !== undefined) return new Date(exact);
  let before = wanted - Math.max(...offsets);
  let after = wanted - Math.min(...offsets);
  while (after - before > 1000) {
    const middle = before + Math.floor((after - before) / 2000) * 1000;
    if (wallTime(zone, middle) >= wanted) after = middle;
    else before = middle;
  }
  return new Date(after);
}

/** How long a date is in a zone, in hours: 23, 24 or 25, with halves in some zones, 0 where the date was skipped. */
export function dayLength(date: CensusDate, zone: string): number {
  const from = firstInstant(date, '00:00', zone).getTime();
  return (firstInstant(addDays(date, 1), '00:00', zone).getTime() - from) / 3_600_000;
}

/** True for a date of the calendar that the zone has lived through: Apia had no 2011-12-30. */
export function existsIn(date: string, zone: string): boolean {
  return isCalendarDate(date) && dateIn(zone, firstInstant(date, '00:00', zone)) === date;
}

/** The instant at which the patients of a census date are counted. */
export function censusInstant(date: CensusDate, { time_zone, census_time }: CensusClock): Date {
  return census_time === '00:00'
    ? firstInstant(addDays(date, 1), '00:00', time_zone)
    : firstInstant(date, census_time, time_zone);
}

/** The date on the zone's wall at an instant. */
export function dateIn(zone: string, instant: Date): CensusDate {
  return dateInZone(zone, instant.getTime());
}

/** The census date to which something that happened at this instant belongs: the first whose count is not before it. */
export function censusDateOf(instant: Date, clock: CensusClock): CensusDate {
  const today = dateIn(clock.time_zone, instant);
  // Not today where the hour has passed, and not tomorrow where the zone skips it.
  const found = [today, addDays(today, 1), addDays(today, 2)].find(
    (date) => censusInstant(date, clock) > instant && existsIn(date, clock.time_zone),
  );
  return found ?? today;
}

/** The newest census date whose count has been due at this instant. */
export function newestCensusDate(instant: Date, clock: CensusClock): CensusDate {
  let date = addDays(censusDateOf(instant, clock), -1);
  while (!existsIn(date, clock.time_zone)) date = addDays(date, -1);
  return date;
}
