/**
 * The PostgreSQL that the package of this build brings, and the day it came out (postgresql.org/support/versioning). The test beside
 * this holds it to the version in package.json.
 */
export const EMBEDDED_RELEASE = { version: '18.4', releasedOn: '2026-05-14' } as const;

/** PostgreSQL's plan (postgresql.org/developer/roadmap): the second Thursday of these months, counted from 0. */
const MONTHS = [1, 4, 7, 10];
const THURSDAY = 4;

/** How many planned releases with fixes came out after one of that day (yyyy-mm-dd), until `now`. Those between the plan are not counted. */
export function countFixesSince(releasedOn: string, now: Date): number {
  const since = Date.parse(releasedOn);
  const first = new Date(since).getUTCFullYear();
  const years = Array.from({ length: now.getUTCFullYear() - first + 1 }, (_, index) => first + index);
  const planned = years.flatMap((year) => MONTHS.map((month) => secondThursday(year, month)));
  return planned.filter((day) => day > since && day <= now.getTime()).length;
}

function secondThursday(year: number, month: number): number {
  const weekdayOfFirst = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return Date.UTC(year, month, 8 + ((THURSDAY - weekdayOfFirst + 7) % 7));
}
