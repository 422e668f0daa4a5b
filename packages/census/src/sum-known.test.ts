import { expect, it } from 'vitest';
import { sumKnown } from './sum-known.ts';

it('CEN-6 what is not known is left out of a sum, and a sum of nothing known is not known', () => {
  expect(sumKnown([3, null, 0, 4])).toBe(7);
  expect(sumKnown([0, null])).toBe(0);
  expect(sumKnown([null, null])).toBeNull();
  expect(sumKnown([])).toBeNull();
});
