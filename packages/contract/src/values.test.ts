import { expect, it } from 'vitest';
import { Day, Instant } from './values.ts';

it.each([
  ['0000-12-31T23:59:59Z', false],
  ['0001-01-01T00:00:00+00:01', false],
  ['0001-01-01T00:00:00Z', true],
  ['9999-12-31T23:59:59Z', true],
  ['9999-12-31T23:59:59-00:01', false],
])('I4 whether an instant can be stored: %s %s', (text, isStorable) => {
  expect(Instant.safeParse(text).success).toBe(isStorable);
});

it.each([
  ['0000-12-31', false],
  ['0001-01-01', true],
  ['9999-12-31', true],
])('I4 whether a day can be stored: %s %s', (text, isStorable) => {
  expect(Day.safeParse(text).success).toBe(isStorable);
});
