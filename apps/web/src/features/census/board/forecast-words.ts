import { exactRatio } from '@wardline/census/ratio.ts';
import type { ForecastSeries } from '@wardline/contract/census-board.ts';
import { counted, countWords, decimalWords } from '../parts/figure-words.ts';

/** How wrong the method was on the days it was tested on, against the simplest one. */
export function missWords({ method, mae, baseline_mae: baseline }: ForecastSeries): string {
  if (mae === null) return 'It has not been tested.';
  const miss = `Typical miss one day ahead: ${decimalWords(mae.toFixed(1))} patients`;
  if (method === 'seasonal_naive') return `${miss}. It repeats last week’s same day: nothing else did better.`;
  if (baseline === null || baseline === 0) return `${miss}.`;
  const gain = Math.round((100 * (baseline - mae)) / baseline);
  if (gain === 0) return `${miss}; no better than last week’s same day.`;
  return `${miss}; ${Math.abs(gain)} % ${gain > 0 ? 'better' : 'worse'} than last week’s same day.`;
}

/** How often the truth lay within the interval, and how often it was meant to. */
export function coverageWords({ coverage, interval, test_days: days }: ForecastSeries): string | null {
  if (coverage === null || days === 0) return null;
  const meant = exactRatio(Math.round(interval * 1000), 1000, { factor: 100, places: 0 });
  return `The range means to hold ${meant} of 100 days; it held ${Math.round(coverage * 100)} of 100 over ${counted(days, 'test day')}.`;
}

/** Why there is no forecast. */
export function absenceWords(reason: ForecastSeries['absent_because']): string {
  return reason === 'too_incomplete'
    ? 'Less than 90 % of the reports of the last weeks are in. A forecast from gaps would be a guess.'
    : 'A forecast needs 28 days of reports.';
}

/** What is expected against the beds there are; null where it fits. */
export function breachWords({ points, beds }: ForecastSeries): string | null {
  const first = beds === null ? undefined : points.find(({ value }) => value > beds);
  return first === undefined || beds === null
    ? null
    : `${countWords(Math.round(first.value))} patients expected for ${countWords(beds)} staffed beds`;
}
