import { expect, it } from 'vitest';
import { dayOfAge, yearsOn } from './age.ts';

it.each([
  ['2026-01-31', { value: 1, unit: 'mo' }, '2026-03-01'],
  ['2026-01-31', { value: 2, unit: 'mo' }, '2026-03-31'],
  ['2024-02-29', { value: 1, unit: 'a' }, '2025-03-01'],
  ['2024-02-29', { value: 4, unit: 'a' }, '2028-02-29'],
  ['2026-12-30', { value: 28, unit: 'd' }, '2027-01-27'],
  ['1999-12-31', { value: 0, unit: 'd' }, '1999-12-31'],
] as const)('EXAM-2 who is born on %s reaches %o on %s', (bornOn, age, day) => {
  expect(dayOfAge(bornOn, age)).toBe(day);
});

it('EXAM-4 years are whole from the birthday on', () => {
  expect(yearsOn('2010-11-24', '2026-11-23')).toBe(15);
  expect(yearsOn('2010-11-24', '2026-11-24')).toBe(16);
  expect(yearsOn('2024-02-29', '2025-02-28')).toBe(0);
});
