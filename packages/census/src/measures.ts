import { SUMMED_FIELDS } from '@wardline/contract/census/census.ts';
import type { Sums } from '@wardline/contract/census/summary.ts';
import { exactRatio } from './ratio.ts';

/** Names of the measures, in the order in which they are shown. */
export const MEASURES = [
  'average_daily_census',
  'occupancy',
  'alos',
  'alos_estimated',
  'turnover_direct',
  'turnover_indirect',
  'turnover_indirect_estimated',
  'turnover_interval',
  'gross_death_rate',
  'net_death_rate',
  'churn',
  'completeness',
  'timeliness',
] as const;
export type MeasureName = (typeof MEASURES)[number];

/** A measure with what it was divided from: exact text with two decimals, or null where there is no denominator. */
export interface Measure {
  readonly name: MeasureName;
  readonly value: string | null;
  readonly unit: 'patients' | 'per cent' | 'days' | 'per bed' | 'per patient';
  readonly numerator: number | null;
  readonly denominator: number | null;
}

type Part = Pick<Measure, 'value' | 'numerator' | 'denominator'>;

/**
 * Every measure of a period from its sums. Rates are divided last, from whole numbers: percentages of parts are never
 * averaged. Formulas: average daily census = service days ÷ calendar days; occupancy = service days ÷ bed days; average
 * length of stay = discharge days ÷ separations (estimated: service days ÷ separations, as is the indirect turnover from it);
 * turnover, direct = separations ÷ average beds; indirect = occupancy × days ÷ length of stay; interval = (bed days − service
 * days) ÷ separations, all of the units that count in occupancy, as the beds are; gross death rate = deaths ÷ separations;
 * net = (deaths − under 48 h) ÷ (separations − under 48 h); churn = movements ÷ census.
 */
export function measuresOf(sums: Sums): Measure[] {
  const separations = sums.discharges + sums.deaths;
  const movements = sums.admissions + sums.births + sums.transfers_in + separations + sums.transfers_out;
  const occupied = sums.occupancy_service_days;
  return [
    { name: 'average_daily_census', unit: 'patients', ...ratio(sums.service_days, sums.days) },
    { name: 'occupancy', unit: 'per cent', ...percent(occupied, sums.bed_days) },
    { name: 'alos', unit: 'days', ...(areStaysKnown(sums) ? ratio(sums.discharge_days, separations) : UNKNOWN) },
    { name: 'alos_estimated', unit: 'days', ...ratio(sums.service_days, separations) },
    { name: 'turnover_direct', unit: 'per bed', ...ratio(sums.occupancy_separations * sums.days, sums.bed_days) },
    {
      name: 'turnover_indirect',
      unit: 'per bed',
      ...(areStaysKnown(sums) ? indirectTurnover(sums, sums.occupancy_discharge_days) : UNKNOWN),
    },
    { name: 'turnover_indirect_estimated', unit: 'per bed', ...indirectTurnover(sums, occupied) },
    { name: 'turnover_interval', unit: 'days', ...ratio(sums.bed_days - occupied, sums.occupancy_separations) },
    { name: 'gross_death_rate', unit: 'per cent', ...percent(sums.deaths, separations) },
    {
      name: 'net_death_rate',
      unit: 'per cent',
      ...percent(sums.deaths - sums.deaths_u48, separations - sums.deaths_u48),
    },
    { name: 'churn', unit: 'per patient', ...ratio(movements, sums.census_days) },
    { name: 'completeness', unit: 'per cent', ...percent(sums.units_reported, sums.units_expected) },
    { name: 'timeliness', unit: 'per cent', ...percent(sums.units_on_time, sums.units_expected) },
  ];
}

const UNKNOWN: Part = { value: null, numerator: null, denominator: null };

const ratio = (numerator: number, denominator: number): Part => ({
  value: exactRatio(numerator, denominator),
  numerator,
  denominator,
});

const percent = (numerator: number, denominator: number): Part => ({
  ...ratio(numerator, denominator),
  value: exactRatio(numerator, denominator, { factor: 100 }),
});

/** (occupied ÷ bed days) × days ÷ (stays ÷ separations), as one division; the stays are those of the units with beds. */
function indirectTurnover(sums: Sums, stays: number): Part {
  const { occupancy_service_days, occupancy_separations, bed_days, days } = sums;
  if (occupancy_separations === 0) return UNKNOWN;
  return ratio(occupancy_service_days * days * occupancy_separations, bed_days * stays);
}

/** Whether every report with a discharge or death says how long those patients had stayed: then nothing need be estimated. */
export function areStaysKnown({ discharges, deaths, separation_reports, discharge_days_reports }: Sums): boolean {
  return discharge_days_reports === separation_reports && (discharges + deaths === 0 || separation_reports > 0);
}

const ESTIMATES: readonly MeasureName[] = ['alos_estimated', 'turnover_indirect_estimated'];
const OF_STAYS: readonly MeasureName[] = ['alos', 'turnover_indirect'];

/** The measures that are told of a period: length of stay, and what hangs on it, from the stays or else estimated. */
export function toldMeasures(sums: Sums, isEstimated = !areStaysKnown(sums)): Measure[] {
  const left = isEstimated ? OF_STAYS : ESTIMATES;
  return measuresOf(sums).filter(({ name }) => !left.includes(name));
}

const SUMMED = [
  'units_expected',
  'units_reported',
  'units_on_time',
  'census_days',
  'service_days',
  'occupancy_service_days',
  'occupancy_separations',
  'bed_days',
  'licensed_bed_days',
  'staffed_bed_days',
  'blocked_bed_days',
  ...SUMMED_FIELDS,
  'discharge_days',
  'occupancy_discharge_days',
  'separation_reports',
  'discharge_days_reports',
] as const satisfies readonly (keyof Sums)[];

/** Nothing of anything, over so many days. */
export function noSums(days: number): Sums {
  const none = Object.fromEntries(SUMMED.map((name) => [name, 0])) as Record<(typeof SUMMED)[number], number>;
  return { ...none, days };
}

/** Counts add up: of units over the same days (`days` as given), or of periods one after the other. */
export function addSums(parts: readonly Sums[], days: number): Sums {
  const total = noSums(days);
  for (const name of SUMMED) total[name] = parts.reduce((sum, part) => sum + part[name], 0);
  return total;
}
