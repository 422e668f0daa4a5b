import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareDecimals, decimalPlaces, isDecimal, plainDecimal } from './decimal.ts';

it.each([
  ['3.5', '3.50', 0],
  ['3,5', '3.5', 0],
  ['0.1', '0.10000001', -1],
  ['10', '9.9', 1],
  ['-0.5', '0', -1],
  ['-0', '0', 0],
  ['+2', '2', 0],
  ['007', '7', 0],
  ['999999999999.99999999', '999999999999.99999998', 1],
  ['0.3', '0.30000000', 0],
])('EXAM-2 entered numbers are compared as numbers, exactly: %s with %s', (a, b, sign) => {
  expect(compareDecimals(a, b)).toBe(sign);
  expect(compareDecimals(b, a)).toBe(sign === 0 ? 0 : -sign);
});

it('EXAM-2 numbers of 20 digits are compared as their integers are', () => {
  const units = fc.bigInt({ min: -(10n ** 20n) + 1n, max: 10n ** 20n - 1n });
  const write = (of: bigint) => {
    const digits = (of < 0n ? -of : of).toString().padStart(9, '0');
    return `${of < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`;
  };
  void fc.assert(
    fc.property(units, units, (a, b) => {
      expect(compareDecimals(write(a), write(b))).toBe(a < b ? -1 : a > b ? 1 : 0);
    }),
  );
});

it.each([
  ['6.80', '6.80'],
  ['6,80', '6.80'],
  ['+007', '7'],
  ['-00.50', '-0.50'],
  ['0', '0'],
  ['000', '0'],
  ['999999999999.99999999', '999999999999.99999999'],
])('EXAM-6 %s is written as the decimal %s, with each digit that was entered', (text, plain) => {
  expect(plainDecimal(text)).toBe(plain);
  expect(compareDecimals(text, plain)).toBe(0);
});

it.each(['', ' ', '.5', '5.', '1e3', '1.2.3', '1,234.5', '--1', 'NaN', '½', '1234567890123', '0.123456789', '٣'])(
  'EXAM-2 %j is no number',
  (text) => {
    expect(isDecimal(text)).toBe(false);
    expect(() => compareDecimals(text, '1')).toThrow(TypeError);
  },
);

it('EXAM-2 the digits after the point are those that were entered', () => {
  expect(['7', '7.0', '7,25', ' 7.250 '].map(decimalPlaces)).toEqual([0, 1, 2, 3]);
});
