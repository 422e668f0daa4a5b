import { hoursPerPatientDay, hoursText } from '@wardline/census/nursing-hours.ts';
import type { NursingPart, NursingSums } from '@wardline/contract/census/nursing.ts';
import type { CensusSummary } from '@wardline/contract/census/summary.ts';
import { counted, formatCount, formatDecimal } from '#/features/census/core/format-figure.ts';
import { formatPeriod, periodAround } from '#/features/census/core/period/period.ts';
import type { MeasureRow } from './measure-row.ts';

export type Nursed = Pick<CensusSummary, 'from' | 'to' | 'nursing'>;

const LABELS = { rn: 'RN hours per patient day', all: 'Nursing hours per patient day' } as const;

/** Nursing hours per patient day of a period, or of one of its units: of registered nurses, and of all nursing staff. */
export function nursingRows(period: Nursed, sums: NursingSums = period.nursing.total): MeasureRow[] {
  return (['rn', 'all'] as const).map((name) => ({
    key: `hppd_${name}`,
    label: LABELS[name],
    value: hoursPerPatientDay(sums[name]),
    unit: 'hours',
    from: formatSource(sums[name], period),
    reported: sums[name].unit_months,
    expected: sums.unit_months_expected,
    of: period.nursing.first_month === period.nursing.last_month ? 'units' : 'unit-months',
  }));
}

function formatSource({ hundredths, patient_days, unit_months }: NursingPart, period: Nursed): string {
  if (period.nursing.first_month === null) return 'No month of this period has ended';
  if (unit_months === 0) return `Hours not entered${formatMonths(period)}`;
  const hours = formatDecimal(hoursText(hundredths));
  return `${hours} hours ÷ ${counted(patient_days, 'patient day')}${formatMonths(period)}`;
}

/** Which months are counted, where they are not all of the period: ', October 2026 only'. */
function formatMonths({ from, to, nursing: { first_month: first, last_month: last } }: Nursed): string {
  if (first === null || last === null) return '';
  const [start, end] = [periodAround('month', `${first}-01`), periodAround('month', `${last}-01`)];
  if (start.from === from && end.to === to) return '';
  return first === last
    ? `, ${formatPeriod(start)} only`
    : `, whole months ${formatPeriod(start)} to ${formatPeriod(end)} only`;
}

/** How many of them are in it: '5 of 6 units'. */
export function formatCover({ reported, expected, of = 'reports' }: Pick<MeasureRow, 'reported' | 'expected' | 'of'>) {
  return `${formatCount(reported)} of ${formatCount(expected)} ${of}`;
}
