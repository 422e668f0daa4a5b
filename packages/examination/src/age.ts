/** An age as a reference range names it: days, months or years (UCUM `d`, `mo`, `a`). */
export interface Age {
  readonly value: number;
  readonly unit: 'd' | 'mo' | 'a';
}

/**
 * The calendar day (YYYY-MM-DD) on which somebody born on `bornOn` reaches an age. Whoever was born on a day that the month or year
 * does not have reaches it on the next first of a month: born on 29 February, on 1 March.
 */
export function dayOfAge(bornOn: string, { value, unit }: Age): string {
  const [year = 0, month = 1, day = 1] = bornOn.split('-').map(Number);
  if (unit === 'd') return toDay(Date.UTC(year, month - 1, day + value));
  const months = unit === 'mo' ? value : value * 12;
  const wanted = new Date(Date.UTC(year, month - 1 + months, 1));
  const reached = new Date(Date.UTC(wanted.getUTCFullYear(), wanted.getUTCMonth(), day));
  const isThere = reached.getUTCMonth() === wanted.getUTCMonth();
  return toDay(isThere ? reached.getTime() : Date.UTC(wanted.getUTCFullYear(), wanted.getUTCMonth() + 1, 1));
}

/** Whole years on a calendar day (YYYY-MM-DD). */
export function yearsOn(bornOn: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(bornOn.slice(0, 4));
  return dayOfAge(bornOn, { value: years, unit: 'a' }) <= day ? years : years - 1;
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
