import { expect, it } from 'vitest';
import { unitOfBed } from './unit-of-bed.ts';

const units = ['MED 3A', 'SUR 2B', 'ICU', 'Day B', 'Night B'].map((code) => ({ code }));

it.each([
  ['3A-12', 'MED 3A'],
  ['med 3a-12', 'MED 3A'],
  ['ICU-05', 'ICU'],
  ['2b-11', 'SUR 2B'],
  ['B-1', undefined],
  ['12', undefined],
  ['-12', undefined],
  ['PED-6', undefined],
  [null, undefined],
])('EXAM-5 the unit of the bed %s is %s', (bed, code) => {
  expect(unitOfBed(bed, units)?.code).toBe(code);
});
