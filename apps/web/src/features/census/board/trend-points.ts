import { datesFrom } from '@wardline/census/calendar.ts';
import { type TrendPoint, withWeekMeans } from '../parts/daily-series.ts';
import type { Heatmap } from './use-board.ts';

/** Who was in the beds of the facility on each day, from its units; null on a day on which one of them is missing. */
export function trendPoints({ from, to, units }: Heatmap): TrendPoint[] {
  const inBeds = units.filter((unit) => unit.counts_in_occupancy && unit.class === 'adult_child');
  const points = datesFrom(from, to).map((date, index): TrendPoint => {
    const due = inBeds.filter(({ marks }) => marks[index] !== '-');
    const reported = due.filter(({ present }) => (present[index] ?? null) !== null);
    const isWhole = due.length > 0 && reported.length === due.length;
    const total = (key: 'present' | 'bed_days') =>
      isWhole ? due.reduce((sum, unit) => sum + (unit[key][index] ?? 0), 0) : null;
    return {
      date,
      occupied: total('present'),
      beds: total('bed_days'),
      mean: null,
      reported: reported.length,
      expected: due.length,
    };
  });
  return withWeekMeans(points);
}
