import type { Denominator } from '@wardline/contract/census-facility.ts';
import { readerLocale } from '#/shared/time/zoned-time.ts';

const formats = new Map<string, Intl.NumberFormat>();

function numberFormat(places: number): Intl.NumberFormat {
  const key = `${readerLocale()} ${places}`;
  const kept = formats.get(key);
  if (kept) return kept;
  const made = new Intl.NumberFormat(readerLocale(), { minimumFractionDigits: places, maximumFractionDigits: places });
  formats.set(key, made);
  return made;
}

/** What stands where there is no figure: no denominator, or nobody knows. */
export const NO_FIGURE = '–';

/** A whole number in the reader's format. */
export function formatCount(count: number | null): string {
  return count === null ? NO_FIGURE : numberFormat(0).format(count).replace('-', '−');
}

/** An exact decimal ("81.63") in the reader's format, digit by digit: it never becomes a binary fraction. */
export function formatDecimal(value: string | null): string {
  if (value === null) return NO_FIGURE;
  const places = value.split('.')[1]?.length ?? 0;
  return numberFormat(places)
    .format(value as Intl.StringNumericLiteral)
    .replace('-', '−');
}

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

/** A difference in words: `+1.20`, `−0.40`, `0.00`. */
export function formatDifference(difference: string | null): string {
  if (difference === null) return NO_FIGURE;
  if (/^-?[0.]+$/.test(difference)) return formatDecimal(difference.replace('-', ''));
  return difference.startsWith('-') ? formatDecimal(difference) : `+${formatDecimal(difference)}`;
}

/** `1 unit`, `3 units`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** What the beds of a denominator are called over a column: `Licensed beds`. */
export function bedsHead(denominator: Denominator): string {
  return `${denominator.charAt(0).toUpperCase()}${denominator.slice(1)} beds`;
}
