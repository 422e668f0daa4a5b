import type { Denominator } from '@wardline/contract/census/facility.ts';

export { counted, formatCount, NO_FIGURE } from '@wardline/format/counts.ts';
export { formatDecimal, formatDifference, formatPercent, formatRounded } from '@wardline/format/numbers.ts';

/** The exact difference of two decimals of the same number of places, with its sign; null where one is missing. */
export function differenceOf(value: string | null, other: string | null): string | null {
  if (value === null || other === null) return null;
  const places = value.split('.')[1]?.length ?? 0;
  const whole = (text: string) => BigInt(text.replace('.', ''));
  const difference = whole(value) - whole(other);
  const digits = (difference < 0n ? -difference : difference).toString().padStart(places + 1, '0');
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return difference < 0n ? `-${text}` : text;
}

/** What the beds of a denominator are called over a column: `Licensed beds`. */
export function bedsHead(denominator: Denominator): string {
  return `${denominator.charAt(0).toUpperCase()}${denominator.slice(1)} beds`;
}

/** A share of beds over a column, by what it divides by: a stay of the day counts in it, unlike at the census hour. */
export function occupancyHead(denominator: Denominator): string {
  return `Service days ÷ ${denominator} beds, %`;
}
