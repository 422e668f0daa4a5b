import { invalidField } from '#/platform/http/app-error.ts';

/** An instant in UTC; a device's clock may say anything, PostgreSQL and our own answers know the years 1 to 9999. */
export function storableInstant(field: string, text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  const instant = new Date(text);
  const year = instant.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) throw invalidField(field, 'This time is out of range.');
  return instant.toISOString();
}

/** A calendar day that PostgreSQL has a place for. */
export function storableDay(field: string, day: string): string;
export function storableDay(field: string, day: string | null | undefined): string | null;
export function storableDay(field: string, day: string | null | undefined): string | null {
  if (day === null || day === undefined) return null;
  if (day < '0001') throw invalidField(field, 'This day is out of range.');
  return day;
}
