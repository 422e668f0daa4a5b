import { weekdayChart } from '@wardline/census/forecast/control-chart.ts';
import { exactRatio } from '@wardline/census/ratio.ts';
import type { CensusSummary, Sums } from '@wardline/contract/census/summary.ts';

type Step = Pick<CensusSummary['steps'][number], 'from' | 'sums'>;

/** Adults and children of one day or month, as they are drawn. */
export interface TrendPoint {
  readonly date: string;
  /** Service days of the units with beds, of one day or a day of the month; null where a report is missing: a partial sum would look like an empty ward. */
  readonly occupied: number | null;
  readonly beds: number | null;
  readonly mean: number | null;
  readonly reported: number;
  readonly expected: number;
}

/** The same, told with what it comes from. */
export interface SeriesPoint extends TrendPoint {
  readonly sums: Sums;
}

const WEEK = 7;
/** A mean of fewer days says more about which days are missing than about the week. */
const FEWEST_OF_WEEK = 4;

/** The steps up to the newest census date, with the mean of the week that ends at each. */
export function seriesOf(steps: readonly Step[], newest: string): SeriesPoint[] {
  const points = steps
    .filter(({ from, sums }) => from <= newest && sums.adult_and_child.days > 0)
    .map(({ from, sums }) => pointOf(from, sums.adult_and_child));
  return withWeekMeans(points);
}

/** Each point with the mean of the week that ends at it. */
export function withWeekMeans<Point extends TrendPoint>(points: readonly Point[]): Point[] {
  return points.map((point, index) => ({
    ...point,
    mean: weekMean(points.slice(Math.max(0, index - WEEK + 1), index + 1)),
  }));
}

function pointOf(date: string, sums: Sums): SeriesPoint {
  const isWhole = sums.units_expected > 0 && sums.units_reported === sums.units_expected;
  // Of a month the average of its days.
  const perDay = (sum: number) => (isWhole ? Number(exactRatio(sum, sums.days)) : null);
  return {
    date,
    occupied: perDay(sums.occupancy_service_days),
    beds: perDay(sums.bed_days),
    mean: null,
    reported: sums.units_reported,
    expected: sums.units_expected,
    sums,
  };
}

function weekMean(week: readonly TrendPoint[]): number | null {
  const known = week.flatMap(({ occupied }) => (occupied === null ? [] : [occupied]));
  if (known.length < FEWEST_OF_WEEK) return null;
  return Number(exactRatio(Math.round(100 * known.reduce((sum, value) => sum + value, 0)), 100 * known.length));
}

/** The census of each day beside its weekday's mean, or null under four weeks: limits of fewer days are no limits. */
export function controlOf(points: readonly SeriesPoint[]) {
  if (points.length < 4 * WEEK) return null;
  return weekdayChart(points.map(({ occupied }) => occupied));
}
