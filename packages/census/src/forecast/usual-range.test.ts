import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatUnusual, LEAST_HISTORY, unusualCounts, usualRange } from './usual-range.ts';

const weeks = (...numbers: number[]) => Array.from({ length: 26 }, (_, week) => numbers[week % numbers.length] ?? 0);

it.each([
  ['a unit where hardly anybody dies', weeks(0, 0, 0, 0, 1), { least: 0, most: 1 }],
  ['one where nobody does', weeks(0), { least: 0, most: 1 }],
  ['a steady number', weeks(4), { least: 2, most: 6 }],
  ['a number that varies', weeks(3, 4, 5, 6, 4, 5, 3), { least: 0, most: 8 }],
  ['many', weeks(40, 44, 42, 38, 41), { least: 35, most: 47 }],
  ['a half between two', [2, 2, 2, 2, 3, 3, 3, 3], { least: 1, most: 4 }],
])('F-N15 the usual range of %s is the median and three spreads, and never less than a root', (_, history, range) => {
  expect(usualRange(history)).toEqual(range);
});

it('F-N15 a few odd days do not widen what is usual', () => {
  const calm = weeks(2, 3, 2);
  expect(usualRange([...calm.slice(4), 40, 41, 60, 0])).toEqual(usualRange(calm));
});

it('F-N15 with less history than eight dates nothing is usual', () => {
  expect(usualRange(Array<number>(LEAST_HISTORY - 1).fill(2))).toBeNull();
  expect(usualRange(Array<number>(LEAST_HISTORY).fill(2))).toEqual({ least: 1, most: 3 });
});

it('F-N15 the middle of the history is always usual, and the range holds whole numbers from 0', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(300), { minLength: LEAST_HISTORY, maxLength: 26 }), (history) => {
      const range = usualRange(history);
      const sorted = [...history].sort((a, b) => a - b);
      const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
      expect(range?.least).toBeGreaterThanOrEqual(0);
      expect(Number.isInteger(range?.least) && Number.isInteger(range?.most)).toBe(true);
      // Of an even number of dates the upper middle may lie outside where half of them are far from the others.
      if (sorted.length % 2 === 1) expect(range?.least).toBeLessThanOrEqual(middle);
      if (sorted.length % 2 === 1) expect(range?.most).toBeGreaterThanOrEqual(middle);
      expect(range?.most).toBeGreaterThanOrEqual(range?.least ?? 0);
    }),
  );
});

it('F-N15 three discharges typed into deaths are asked about, in words that name weekday and range', () => {
  const usual = { discharges: { least: 1, most: 6 }, deaths: { least: 0, most: 1 }, on_leave: null };
  const asked = unusualCounts({ discharges: 0, deaths: 3, on_leave: 9 }, usual);
  expect(asked.map((count) => formatUnusual(count, '2026-11-21'))).toEqual([
    'Discharges 0: usually 1 to 6 on Saturdays.',
    'Deaths 3: usually 0 to 1 on Saturdays.',
  ]);
  expect(unusualCounts({ discharges: 1, deaths: null }, usual)).toEqual([]);
  expect(unusualCounts({ deaths: 9 }, null)).toEqual([]);
  expect(formatUnusual({ field: 'births', count: 3, least: 2, most: 2 }, '2026-11-22')).toBe(
    'Births 3: usually 2 on Sundays.',
  );
});
