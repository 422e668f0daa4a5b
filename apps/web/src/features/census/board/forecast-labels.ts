import { firstShortage } from '@wardline/census/forecast/beds-ahead.ts';
import { exactRatio } from '@wardline/census/ratio.ts';
import type { ForecastSeries } from '@wardline/contract/census/board.ts';
import { formatList } from '@wardline/format/names.ts';
import { counted, formatPercent, formatRounded } from '#/features/census/core/format-figure.ts';
import { shortDay } from '#/features/census/core/period/period.ts';

/** How wrong the method was on the days it was tested on, against the simplest one. */
export function formatMiss({ method, mae, baseline_mae: baseline }: ForecastSeries): string {
  if (mae === null) return 'Not tested yet.';
  const miss = `Typical error one day ahead: ${formatRounded(mae, 1)} patients`;
  if (method === 'seasonal_naive') return `${miss}. It repeats the same day last week; no other method did better.`;
  if (baseline === null || baseline === 0) return `${miss}.`;
  const gain = Math.round((100 * (baseline - mae)) / baseline);
  if (gain === 0) return `${miss}; no better than the same day last week.`;
  return `${miss}; ${formatPercent(Math.abs(gain))} ${gain > 0 ? 'better' : 'worse'} than the same day last week.`;
}

/** How often the truth lay within the interval, and how often it was meant to. */
export function formatCoverage({ coverage, interval, test_days: days }: ForecastSeries): string | null {
  if (coverage === null || days === 0) return null;
  const meant = exactRatio(Math.round(interval * 1000), 1000, { factor: 100, places: 0 });
  return `The range should cover ${meant} of 100 days; it covered ${Math.round(coverage * 100)} of 100 over ${counted(days, 'test day')}.`;
}

/** Why there is no forecast. */
export function formatAbsence(reason: ForecastSeries['absent_because']): string {
  return reason === 'too_incomplete'
    ? `Less than ${formatPercent(90)} of recent reports are in: too few for a forecast.`
    : 'A forecast needs 28 days of reports.';
}

/** What is short, and when, as a title and a sentence; null where the beds of each day do. */
export function formatShortage(
  { points }: ForecastSeries,
  outside: readonly Coded[],
): { readonly title: string; readonly text: string } | null {
  const found = firstShortage(points);
  if (found === null) return null;
  const { census_date, value, beds, outside: waiting } = found.day;
  const expected = `${shortDay(census_date)}: ${onePlace(value)} patients expected for ${counted(beds ?? 0, 'staffed bed')}`;
  const more = waiting === null ? '' : `, ${onePlace(waiting)} more in ${codesOf(outside)}`;
  return {
    title: found.kind === 'over_beds' ? 'Over staffed beds.' : 'Not enough beds.',
    text: `${expected}${more}.`,
  };
}

/** Who is in the number that is held against the beds; null of a unit, where nobody asks. */
export function formatWho({ unit_id }: ForecastSeries, outside: readonly Coded[]): string | null {
  if (unit_id !== null || outside.length === 0) return null;
  return `Patients without a bed in ${codesOf(outside)} are not included; they are forecast separately.`;
}

/** A number of patients that is expected, to a tenth. */
export function onePlace(value: number): string {
  return formatRounded(value, 1);
}

type Coded = Pick<ForecastSeries, 'unit_code'>;

function codesOf(units: readonly Coded[]): string {
  return formatList(units.map(({ unit_code }) => unit_code ?? ''));
}
