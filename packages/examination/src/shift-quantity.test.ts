import { describe, expect, it } from 'vitest';
import { shiftQuantity } from './shift-quantity.ts';

describe('shiftQuantity', () => {
  it.each([
    ['6.8', 3, '6800'],
    ['6.80', -3, '0.00680'],
    ['131', -3, '0.131'],
    ['13.2', 1, '132'],
    ['0,5', 0, '0.5'],
    ['<0.5', 3, '<500'],
    ['> 40', 0, '>40'],
    ['-3', 1, '-30'],
    ['7.30', 0, '7.30'],
    ['0.001', 9, '1000000'],
    ['99999999.12345678', 3, '99999999123.45678'],
    ['1', -15, '0.000000000000001'],
  ])('EXAM-4 %s times ten to the %i is %s exactly, with each digit that was entered', (text, power, shifted) => {
    expect(shiftQuantity(text, power)).toBe(shifted);
  });

  it('EXAM-4 what is no number has none in another unit', () => {
    expect(shiftQuantity('high', 3)).toBeNull();
  });

  it('EXAM-4 there and back is the same number', () => {
    for (const value of ['6.8', '0.05', '1200', '12.0']) {
      expect(Number(shiftQuantity(shiftQuantity(value, 3) ?? '', -3))).toBe(Number(value));
    }
  });
});
