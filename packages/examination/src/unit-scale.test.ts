import { describe, expect, it } from 'vitest';
import { convertQuantity } from './unit-scale.ts';

describe('convertQuantity', () => {
  it.each([
    ['6.8', 'mmol/L', 'umol/L', '6800'],
    ['6.80', 'mmol/L', 'mol/L', '0.00680'],
    ['131', 'umol/L', 'mmol/L', '0.131'],
    ['13.2', 'g/dL', 'g/L', '132'],
    ['132', 'g/L', 'g/dL', '13.2'],
    ['0,5', 'mg/L', 'ug/mL', '0.5'],
    ['250', '10*9/L', '10*6/mL', '250'],
    ['<0.5', 'ug/L', 'ng/L', '<500'],
    ['> 40', 'ng/mL', 'ug/L', '>40'],
    ['-3', 'cm', 'mm', '-30'],
    ['4', 'l', 'mL', '4000'],
    ['7.30', 'kU/L', 'U/mL', '7.30'],
    ['100', '/min', '/min', '100'],
    ['13', '{score}', '{score}', '13'],
    ['0.001', 'mol/L', 'nmol/L', '1000000'],
    ['99999999.12345678', 'g', 'mg', '99999999123.45678'],
    ['1', 'fmol/L', 'mol/L', '0.000000000000001'],
  ])('EXAM-4 %s %s is %s exactly, with each digit that was entered', (text, from, to, converted) => {
    expect(convertQuantity(text, from, to)).toBe(converted);
  });

  it.each([
    ['100', 'mg/dL', 'mmol/L', 'a molar mass'],
    ['37.0', 'Cel', '[degF]', 'another zero'],
    ['120', 'mm[Hg]', 'kPa', 'no power of ten'],
    ['60', '/min', '/s', 'no power of ten'],
    ['13', '{score}', '{points}', 'no unit'],
    ['13', 'kg', 'mmol', 'another thing'],
    ['13', 'm2', 'cm2', 'an exponent'],
    ['high', 'mmol/L', 'umol/L', 'no number'],
  ])('EXAM-4 %s %s has no value in %s: %s', (text, from, to) => {
    expect(convertQuantity(text, from, to)).toBeNull();
  });

  it('EXAM-4 there and back is the same number', () => {
    for (const value of ['6.8', '0.05', '1200', '12.0']) {
      const there = convertQuantity(value, 'mmol/L', 'umol/L') ?? '';
      expect(Number(convertQuantity(there, 'umol/L', 'mmol/L'))).toBe(Number(value));
    }
  });
});
