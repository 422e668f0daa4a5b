import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactRatio } from './ratio.ts';

describe('an exact ratio', () => {
  it.each([
    [1, 3, '0.33'],
    [2, 3, '0.67'],
    [1, 8, '0.13'],
    [-1, 8, '-0.13'],
    [1, -8, '-0.13'],
    [-1, -8, '0.13'],
    [1, 200, '0.01'],
    [1, 201, '0.00'],
    [-1, 201, '0.00'],
    [201, 200, '1.01'],
    // What binary fractions get wrong: 1.005 is below its own half.
    [1005, 1000, '1.01'],
    [0, 7, '0.00'],
  ])('CEN-6 %d ÷ %d is %s: a half goes away from zero', (numerator, denominator, text) => {
    expect(exactRatio(numerator, denominator)).toBe(text);
  });

  it('CEN-6 without a denominator there is no value, not even of nothing (fixtures A13, A14)', () => {
    expect(exactRatio(5, 0)).toBeNull();
    expect(exactRatio(0, 0)).toBeNull();
  });

  it('CEN-6 multiplies before it divides, and keeps the places that are asked for', () => {
    expect(exactRatio(22_493, 36_500, { factor: 100 })).toBe('61.62');
    expect(exactRatio(5, 2, { places: 0 })).toBe('3');
    expect(exactRatio(-5, 2, { places: 0 })).toBe('-3');
    expect(exactRatio(1, 3, { places: 5 })).toBe('0.33333');
  });

  it('CEN-6 is never further than half a hundredth from the truth, and the same on both sides of zero', () => {
    const whole = fc.integer({ min: -(10 ** 9), max: 10 ** 9 });
    fc.assert(
      fc.property(whole, fc.integer({ min: 1, max: 10 ** 9 }), (numerator, denominator) => {
        const hundredths = BigInt((exactRatio(numerator, denominator) ?? '').replace('.', ''));
        const twiceOff = 2n * (hundredths * BigInt(denominator) - 100n * BigInt(numerator));
        expect(twiceOff <= BigInt(denominator) && -twiceOff <= BigInt(denominator)).toBe(true);
        const mirrored = BigInt((exactRatio(-numerator, denominator) ?? '').replace('.', ''));
        expect(mirrored).toBe(-hundredths);
      }),
    );
  });
});
