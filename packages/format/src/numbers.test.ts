import { expect, it } from 'vitest';
import { counted, formatCount } from './counts.ts';
import { firstName, formatList, initials } from './names.ts';
import {
  formatDecimal,
  formatDifference,
  formatPercent,
  formatQuantity,
  formatRounded,
  formatRoundedDifference,
} from './numbers.ts';

it('F-N16 a number is grouped by thousands, with a real minus, and a dash where there is none', () => {
  expect([0, 7, 999, 1000, 48_212, 1_234_567, -3, -1200].map(formatCount)).toEqual([
    ...['0', '7', '999', '1,000', '48,212', '1,234,567', '−3', '−1,200'],
  ]);
  expect(['81.63', '1281.6250', '-1200.5', '0.00'].map(formatDecimal)).toEqual([
    ...['81.63', '1,281.6250', '−1,200.5', '0.00'],
  ]);
  expect([formatCount(null), formatDecimal(null), formatPercent(null), formatRounded(null, 1)]).toEqual(
    Array(4).fill('–'),
  );
});

it('F-N16 a per cent has one form: a space before its sign, and the digits that it was given', () => {
  expect([formatPercent('79.17'), formatPercent('94.44'), formatPercent(92), formatPercent('1250.00')]).toEqual([
    ...['79.17 %', '94.44 %', '92 %', '1,250.00 %'],
  ]);
});

it('F-N16 a measured number has the places asked for, a difference its sign', () => {
  expect([formatRounded(84.25, 1), formatRounded(84, 2), formatRounded(-1204.06, 1)]).toEqual([
    ...['84.3', '84.00', '−1,204.1'],
  ]);
  expect(['1.20', '-0.40', '0.00', '-0.00', null].map(formatDifference)).toEqual([
    '+1.20',
    '−0.40',
    '0.00',
    '0.00',
    '–',
  ]);
  expect([formatRoundedDifference(1.204, 2), formatRoundedDifference(-0.001, 2)]).toEqual(['+1.20', '0.00']);
  expect(formatRoundedDifference(null, 2)).toBe('–');
  expect([counted(1, 'unit'), counted(0, 'unit'), counted(1200, 'entry', 'entries')]).toEqual([
    ...['1 unit', '0 units', '1,200 entries'],
  ]);
});

it('F-N16 a measured value stands before its unit, and a power of ten reads as none of its digits', () => {
  const units = ['mmol/L', '10⁹/L', '10*9/L', '10^9/L', '10-90', '/min', '', null, undefined];
  expect(units.map((unit) => formatQuantity('9', unit))).toEqual([
    ...['9 mmol/L', '9 × 10⁹/L', '9 × 10*9/L', '9 × 10^9/L', '9 10-90', '9 /min', '9', '9', '9'],
  ]);
});

it('F-N16 people and units are named one way', () => {
  expect([[], ['ICU'], ['ICU', 'PED'], ['ICU', 'PED', 'ONC']].map(formatList)).toEqual([
    ...['', 'ICU', 'ICU and PED', 'ICU, PED and ONC'],
  ]);
  expect(['Dr. Mira Okafor', 'Ana Reyes', 'Dr.'].map(firstName)).toEqual(['Mira', 'Ana', 'Dr.']);
  expect(['Dr. Mira Okafor', 'ana reyes', 'Ana', 'Dr.'].map(initials)).toEqual(['MO', 'AR', 'A', 'D']);
});
