import { datesFrom } from '@wardline/census/calendar.ts';
import { type TrendPoint, withWeekMeans } from '#/features/census/charts/daily-series.ts';
import type { Heatmap } from '#/features/census/core/changes/summary-queries.ts';

/** How many service days each day had in the facility's beds, as in the heat map; null on a day on which a unit with beds is missing. */
export function trendPoints({ from, to, units }: Heatmap): TrendPoint[] {
  const inBeds = units.filter((unit) => unit.counts_in_occupancy && unit.population === 'adult_and_child');
  const points = datesFrom(from, to).map((date, index): TrendPoint => {
    const due = inBeds.filter(({ marks }) => marks[index] !== '-');
    const reported = due.filter(({ service_days }) => (service_days[index] ?? null) !== null);
    const isWhole = due.length > 0 && reported.length === due.length;
    const total = (key: 'service_days' | 'bed_days') =>
      isWhole ? due.reduce((sum, unit) => sum + (unit[key][index] ?? 0), 0) : null;
    return {
      date,
      occupied: total('service_days'),
      beds: total('bed_days'),
      mean: null,
      reported: reported.length,
      expected: due.length,
    };
  });
  return withWeekMeans(points);
}
