import { plainDecimal } from './decimal.ts';
import { readQuantity } from './reference-range.ts';

/**
 * A quantity as it was entered, times a power of ten: `6.8` by 3 is `6800`. The point is moved in the text, so that nothing is
 * rounded and no digit is lost or made up; `<` and `>` stay. Null where the text is no quantity.
 */
export function shiftQuantity(text: string, power: number): string | null {
  const quantity = readQuantity(text);
  return quantity && `${quantity.comparator ?? ''}${shifted(plainDecimal(quantity.number), power)}`;
}

/** The point moved by so many places. */
function shifted(plain: string, power: number): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(plain) ?? [];
  const digits = `${'0'.repeat(Math.max(0, 1 - whole.length - power))}${whole}${fraction}`.padEnd(
    whole.length + power,
    '0',
  );
  const places = Math.max(0, fraction.length - power);
  const point = digits.length - places;
  const before = digits.slice(0, point).replace(/^0+(?=\d)/, '');
  return `${sign}${before}${places > 0 ? `.${digits.slice(point)}` : ''}`;
}
