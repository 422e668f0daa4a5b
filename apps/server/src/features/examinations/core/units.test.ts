import { describe, expect, it } from 'vitest';
import { isUnit, powerOfTenBetween } from './units.ts';

describe('units of measure by UCUM', () => {
  it.each([
    ...['mmol/L', 'umol/L', '/min', '%', 'Cel', 'mm[Hg]', '10*9/L', '[iU]/L', 'meq/L', 'L/min', '{score}', '1'],
    ...['mL/min/{1.73_m2}', 'mg/dL', 'kg/m2', 'cm[H2O]', 'U/L', 'mmol/l'],
  ])('EXAM-2 %s is a unit', (code) => expect(isUnit(code)).toBe(true));

  it.each([
    ...['', 'mmHg', 'bpm', 'mcg', 'mEq', 'meter', 'mmol//L', 'mmol/', ' mg', 'mg ', '{score', '°C', 'µmol/L', 'KG'],
    ...['constructor', '__proto__', 'toString', '<script>', '('.repeat(50), 'mg/'.repeat(2000)],
  ])('EXAM-2 %j is none', (code) => expect(isUnit(code)).toBe(false));

  it.each([
    ['mmol/L', 'umol/L', 3],
    ['mmol/L', 'mol/L', -3],
    ['g/dL', 'g/L', 1],
    ['mg/L', 'ug/mL', 0],
    ['10*9/L', '10*6/mL', 0],
    ['10*9/L', '10*3/uL', 0],
    ['cm', 'mm', 1],
    ['l', 'mL', 3],
    ['m2', 'cm2', 4],
    ['kU/L', 'U/mL', 0],
    ['fmol/L', 'mol/L', -15],
    ['{score}', '{score}', 0],
    ['Cel', 'Cel', 0],
  ])('EXAM-4 from %s to %s the point moves by %i', (from, to, power) => {
    expect(powerOfTenBetween(from, to)).toBe(power);
  });

  it.each([
    ['mg/dL', 'mmol/L', 'a molar mass'],
    ['Cel', '[degF]', 'another zero'],
    ['Cel', 'K', 'another zero'],
    ['mm[Hg]', 'kPa', 'no power of ten'],
    ['/min', '/s', 'no power of ten'],
    ['{score}', '{points}', 'no unit'],
    ['{score}', '1', 'no unit'],
    ['kg', 'mmol', 'another thing'],
    ['[iU]/L', 'U/L', 'an arbitrary unit'],
    ['[iU]/L', '/L', 'an arbitrary unit'],
    ['meq/L', 'mmol/L', 'a charge'],
    ['Gy', 'Sv', 'another thing of the same dimension'],
    ['Hz', 'Bq', 'another thing of the same dimension'],
    ['nonsense', 'mmol/L', 'no unit'],
  ])('EXAM-4 nothing of %s is a number of %s: %s', (from, to) => {
    expect(powerOfTenBetween(from, to)).toBeNull();
    expect(powerOfTenBetween(to, from)).toBeNull();
  });
});
