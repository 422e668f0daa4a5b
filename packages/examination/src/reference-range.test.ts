import type { ReferenceRange } from '@wardline/contract/examinations/examinations.ts';
import { expect, it } from 'vitest';
import { flagQuantity, graver, isCritical, rangeFor, readQuantity, type Subject } from './reference-range.ts';

const potassium: ReferenceRange = { low: '3.5', high: '5.3', critical_low: '2.5', critical_high: '6.5' };

it.each([
  ['2.4', 'LL'],
  ['2.5', 'LL'],
  ['2.500', 'LL'],
  ['2.51', 'L'],
  ['3.4', 'L'],
  ['3.49999999', 'L'],
  ['3.5', 'N'],
  ['4', 'N'],
  ['5.3', 'N'],
  ['5,3', 'N'],
  ['5.31', 'H'],
  ['6.4', 'H'],
  ['6.5', 'HH'],
  ['6.8', 'HH'],
  ['<2.5', 'LL'],
  ['< 3.5', 'L'],
  ['<4', null],
  ['>6.5', 'HH'],
  ['>5.3', 'H'],
  ['>5', null],
  ['', null],
  ['high', null],
])('EXAM-2 a potassium of %j is flagged %s', (value, flag) => {
  expect(flagQuantity(value, potassium)).toBe(flag);
});

it('EXAM-2 a range with one limit says what it can', () => {
  const troponin = { high: '14' };
  expect(['14', '15', '<3', '<20', '>14'].map((value) => flagQuantity(value, troponin))).toEqual([
    ...['N', 'H', 'N', null, 'H'],
  ]);
  const clearance = { low: '60' };
  expect(['60', '59.9', '>90', '<60', '<90'].map((value) => flagQuantity(value, clearance))).toEqual([
    ...['N', 'L', 'N', 'L', null],
  ]);
  expect(flagQuantity('5', {})).toBeNull();
  expect(flagQuantity('5', { critical_high: '6' })).toBeNull();
  expect(flagQuantity('6', { critical_high: '6' })).toBe('HH');
});

const haemoglobin: ReferenceRange[] = [
  { age_to: { value: 28, unit: 'd' }, low: '140', high: '240' },
  { age_from: { value: 28, unit: 'd' }, age_to: { value: 12, unit: 'a' }, low: '110', high: '150' },
  { sex: 'female', low: '115', high: '165' },
  { sex: 'male', low: '130', high: '180' },
];
const day = '2026-11-23';
const lowOf = (subject: Omit<Subject, 'day'>) => rangeFor(haemoglobin, { ...subject, day })?.low ?? null;

it('EXAM-2 the range of the patient’s age and sex holds', () => {
  expect(lowOf({ sex: null, bornOn: '2026-10-27' })).toBe('140');
  expect(lowOf({ sex: null, bornOn: '2026-10-26' })).toBe('110');
  expect(lowOf({ sex: null, bornOn: '2014-11-24' })).toBe('110');
  expect(lowOf({ sex: 'female', bornOn: '2014-11-23' })).toBe('115');
  expect(lowOf({ sex: 'male', bornOn: '1948-03-14' })).toBe('130');
});

it('EXAM-2 no range holds while it hangs on what is not known', () => {
  expect(lowOf({ sex: null, bornOn: '1948-03-14' })).toBeNull();
  expect(lowOf({ sex: 'male', bornOn: null })).toBeNull();
  expect(rangeFor([{ sex: 'male', low: '1' }, { low: '2' }], { sex: 'female', bornOn: null, day })?.low).toBe('2');
  expect(rangeFor([], { sex: 'male', bornOn: null, day })).toBeNull();
});

it('EXAM-2 LL, HH and AA are critical, and of two flags the graver counts', () => {
  const all = ['N', 'L', 'H', 'LL', 'HH', 'A', 'AA', 'POS', 'NEG', 'IND'] as const;
  expect(all.filter(isCritical)).toEqual(['LL', 'HH', 'AA']);
  expect([graver('N', 'H'), graver('LL', 'H'), graver('L', 'H'), graver(null, 'N'), graver('N', null)]).toEqual([
    ...['H', 'LL', 'L', 'N', 'N'],
  ]);
});

it('EXAM-2 a quantity is a number, or a limit', () => {
  expect(['5', '<5', ' > 5.5', '<<5', '<', '5 mmol'].map(readQuantity)).toEqual([
    { comparator: null, number: '5' },
    { comparator: '<', number: '5' },
    { comparator: '>', number: '5.5' },
    ...[null, null, null],
  ]);
});
