/** A number as somebody entered it: its digits, exactly. */
interface Decimal {
  readonly isNegative: boolean;
  /** Without the point. */
  readonly digits: string;
  /** How many of the digits stand after the point. */
  readonly places: number;
}

const DECIMAL = /^([+-]?)(\d{1,12})(?:[.,](\d{1,8}))?$/;

function parse(text: string): Decimal | null {
  const found = DECIMAL.exec(text.trim());
  if (!found) return null;
  const [, sign, whole = '', fraction = ''] = found;
  return { isNegative: sign === '-', digits: `${whole}${fraction}`, places: fraction.length };
}

/** True for a decimal number as people write it: up to 12 digits, a point or a comma, up to 8 more. */
export function isDecimal(text: string): boolean {
  return parse(text) !== null;
}

/** How many digits stand after the point, as entered: 2 for `3.50`. Throws where the text is no decimal. */
export function decimalPlaces(text: string): number {
  return requireDecimal(text).places;
}

/**
 * A decimal in the one form that FHIR and JSON take: a point, no plus, no leading zeros, each digit after the point kept (`+06,80`
 * becomes `6.80`). Throws where the text is no decimal.
 */
export function plainDecimal(text: string): string {
  const { isNegative, digits, places } = requireDecimal(text);
  const whole = digits.slice(0, digits.length - places).replace(/^0+(?=\d)/, '');
  const fraction = digits.slice(digits.length - places);
  return `${isNegative ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}

/**
 * Compares two decimals exactly, as text: negative where `a` is less, 0 where they are the same number (`3.50` and `3,5`), positive
 * where it is more. Throws where one is no decimal.
 */
export function compareDecimals(a: string, b: string): number {
  const [left, right] = [requireDecimal(a), requireDecimal(b)];
  const places = Math.max(left.places, right.places);
  const difference = scaled(left, places) - scaled(right, places);
  return difference < 0n ? -1 : Number(difference > 0n);
}

function requireDecimal(text: string): Decimal {
  const decimal = parse(text);
  if (!decimal) throw new TypeError(`no decimal number: ${text}`);
  return decimal;
}

function scaled({ isNegative, digits, places }: Decimal, wanted: number): bigint {
  const units = BigInt(digits) * 10n ** BigInt(wanted - places);
  return isNegative ? -units : units;
}
