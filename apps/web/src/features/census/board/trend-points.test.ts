// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { unitDays } from '#/features/census/charts/calendar-days.ts';
import { heatmap } from './testing/sample-board.ts';
import { trendPoints } from './trend-points.ts';

const week = heatmap(9, '2026-11-11');

it('CEN-9 the trend is a gap where a unit is missing: a partial sum would look like room', () => {
  const points = trendPoints(week);
  expect(points.map(({ occupied }) => occupied)).toEqual([42, 42, 42, 42, 42, 42, 42, null, 42]);
  expect(points[7]).toMatchObject({ beds: null, reported: 1, expected: 2 });
});

it('CEN-9 the mean of a week is of its whole days, and none under four of them', () => {
  const means = trendPoints(week).map(({ mean }) => mean);
  expect(means.slice(0, 4)).toEqual([null, null, null, 42]);
  expect(means[8]).toBe(42);
});

it('CEN-9 units without beds of their own and newborn are no part of the trend', () => {
  const [first, second] = week.units;
  if (!first || !second) throw new Error('The sample has two units.');
  const other = { ...week, units: [first, { ...second, population: 'newborn' as const }] };
  expect(trendPoints(other)[7]).toMatchObject({ occupied: 22, beds: 28 });
});

it('CEN-9 a bed that was taken and left on the same day counts, in the trend as in the heat map beside it', () => {
  const [first, second] = week.units;
  if (!first || !second) throw new Error('The sample has two units.');
  const service = first.service_days.map((days, index) => (index === 2 ? 25 : days));
  const points = trendPoints({ ...week, units: [{ ...first, service_days: service }, second] });
  expect(points.slice(1, 4).map(({ occupied }) => occupied)).toEqual([42, 45, 42]);
});

it('CEN-5 a day of the calendar says late and restated before how far the report has got', () => {
  const [, second] = week.units;
  const days = second ? unitDays(second, week.from) : [];
  expect(days.map(({ word }) => word)).toEqual([
    'Restated',
    ...Array.from({ length: 6 }, () => 'Locked'),
    'Not in',
    'Late',
  ]);
  expect(days[0]?.date).toBe('2026-11-11');
});
