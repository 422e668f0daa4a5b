import type { Sums } from '@wardline/contract/census-summary.ts';
import { counted, countWords } from '#/features/census/core/format-figure.ts';
import type { MeasureRow } from './measure-row.ts';

const LABELS = {
  census_days: 'Inpatients without observation',
  service_days: 'Service days without observation',
} as const;

/**
 * The census counts by place: whoever lies in an inpatient unit is in it. This is the same without those who are there for
 * observation only; none where nobody is.
 */
export function observationRow(
  of: keyof typeof LABELS,
  sums: Sums,
  covered: Pick<MeasureRow, 'reported' | 'expected'>,
): MeasureRow[] {
  const { [of]: all, observation } = sums;
  if (observation === 0) return [];
  const from = `${countWords(all)} − ${counted(observation, 'observation patient')}`;
  return [{ key: `${of}_inpatient`, label: LABELS[of], value: String(all - observation), unit: '', from, ...covered }];
}
