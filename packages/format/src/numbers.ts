import { grouped, NO_FIGURE } from './counts.ts';

/** An exact decimal as text (`1281.63`), digit by digit: it never becomes a binary fraction. `1,281.63`. */
export function formatDecimal(value: string | null): string {
  return value === null ? NO_FIGURE : grouped(value);
}

/** A measured number to so many places, a half away from zero as far as the binary fraction holds one: `84.2`. */
export function formatRounded(value: number | null, places: number): string {
  return value === null ? NO_FIGURE : formatDecimal(value.toFixed(places));
}

/**
 * A measured value with its unit: `6.8 mmol/L`. Before a power of ten stands a multiplication sign, `9 × 10⁹/L`: without it its digits
 * read as those of the value.
 */
export function formatQuantity(value: string, unit: string | null | undefined): string {
  if (!unit) return value;
  return /^10[*^⁰¹²³⁴-⁹⁻]/.test(unit) ? `${value} × ${unit}` : `${value} ${unit}`;
}

/** A share of a hundred, exact as text or whole: `79.17 %`, `92 %`. */
export function formatPercent(value: string | number | null): string {
  return value === null ? NO_FIGURE : `${grouped(String(value))} %`;
}

/** A difference with its sign: `+1.20`, `−0.40`, `0.00`. */
export function formatDifference(difference: string | null): string {
  if (difference === null) return NO_FIGURE;
  if (/^-?[0.]+$/.test(difference)) return formatDecimal(difference.replace('-', ''));
  return difference.startsWith('-') ? formatDecimal(difference) : `+${formatDecimal(difference)}`;
}

/** The same of a measured number, to so many places. */
export function formatRoundedDifference(difference: number | null, places: number): string {
  return formatDifference(difference === null ? null : difference.toFixed(places));
}
