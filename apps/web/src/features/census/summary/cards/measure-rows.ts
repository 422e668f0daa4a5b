import {
  addSums,
  areStaysKnown,
  type Measure,
  type MeasureName,
  measuresOf,
  toldMeasures,
} from '@wardline/census/measures.ts';
import type { Population } from '@wardline/contract/census/census.ts';
import type { CensusSummary, Sums } from '@wardline/contract/census/summary.ts';
import { counted, formatCount, formatDecimal, formatPercent } from '#/features/census/core/format-figure.ts';
import type { MeasureRow } from './measure-row.ts';
import { nursingRows } from './nursing-rows.ts';

const OBSERVATION_LABELS = {
  census_days: 'Inpatients without observation',
  service_days: 'Service days without observation',
} as const;

/**
 * The census counts by place: whoever lies in an inpatient unit is in it. This is the same without those who are there for
 * observation only; none where nobody is.
 */
function observationRow(
  of: keyof typeof OBSERVATION_LABELS,
  sums: Sums,
  covered: Pick<MeasureRow, 'reported' | 'expected'>,
): MeasureRow[] {
  const { [of]: all, observation } = sums;
  if (observation === 0) return [];
  const from = `${formatCount(all)} − ${counted(observation, 'observation patient')}`;
  return [
    {
      key: `${of}_inpatient`,
      label: OBSERVATION_LABELS[of],
      value: String(all - observation),
      unit: '',
      from,
      ...covered,
    },
  ];
}

export interface MeasureGroup {
  readonly of: 'all' | Population;
  readonly title: string;
  readonly rows: readonly MeasureRow[];
}

type Denominator = CensusSummary['denominator'];
type SummaryUnit = Pick<CensusSummary['units'][number], 'population' | 'counts_in_occupancy' | 'sums'>;
export type Summed = Pick<CensusSummary, 'total' | 'denominator' | 'from' | 'to' | 'nursing'> & {
  readonly units: readonly SummaryUnit[];
};

const UNITS: Readonly<Record<Measure['unit'], string>> = {
  patients: '',
  'per cent': '%',
  days: 'days',
  'per bed': 'per bed',
  'per patient': '',
};

const POPULATION_TITLES: Readonly<Record<Population, string>> = {
  adult_and_child: 'Adults and children',
  newborn: 'Newborn',
};

/** All figures of a period: what may be added over the populations, then each population apart. A population nobody reports is left out. */
export function measureGroups(summary: Summed): MeasureGroup[] {
  const { adult_and_child, newborn } = summary.total;
  const together = addSums([adult_and_child, newborn], adult_and_child.days);
  const populations = (['adult_and_child', 'newborn'] as const).filter(
    (name) => summary.total[name].units_expected > 0,
  );
  return [
    { of: 'all', title: 'All patients', rows: rowsTogether(summary, together) },
    ...populations.map((name) => ({ of: name, title: POPULATION_TITLES[name], rows: populationRows(summary, name) })),
  ];
}

/** The figures of one population, or of one unit when only that is given. */
export function populationRows(summary: Summed, name: Population, isEstimated?: boolean): MeasureRow[] {
  const sums = summary.total[name];
  const occupancy = occupancyCover(summary.units, name);
  return rowsOf(sums, { denominator: summary.denominator, name, occupancy, isEstimated });
}

/** The figures of one unit by itself. */
export function unitRows(unit: SummaryUnit, denominator: Denominator, isEstimated?: boolean): MeasureRow[] {
  const occupancy = occupancyCover([unit], unit.population);
  return rowsOf(unit.sums, { denominator, name: unit.population, occupancy, isEstimated });
}

function rowsTogether(summary: Summed, sums: Sums): MeasureRow[] {
  const { from, to, total } = summary;
  const whole = cover(sums);
  const separations = sums.discharges + sums.deaths;
  const isDay = from === to;
  const split = `${counted(total.adult_and_child.census_days, 'adult or child', 'adults and children')} + ${formatCount(total.newborn.census_days)} newborn`;
  const here = sums.census_days - sums.on_leave;
  const inpatients = [
    count('inpatients', 'Inpatients at the census hour', sums.census_days, { from: split, ...whole }),
    ...observationRow('census_days', sums, whole),
  ];
  const counts = [
    ...(isDay ? inpatients : []),
    count('service_days', 'Inpatient service days', sums.service_days, {
      from: `${formatCount(here)} present + ${formatCount(sums.ad_same_day)} same-day`,
      ...whole,
    }),
    ...observationRow('service_days', sums, whole),
    count('separations', 'Separations', separations, {
      from: `${counted(sums.discharges, 'discharge')} + ${counted(sums.deaths, 'death')}`,
      ...whole,
    }),
  ];
  return [
    ...counts.map((row) => toldOnlyOfReports(row, sums)),
    ...measuresOf(sums)
      .filter(({ name }) => isAboutReports(name))
      .map((measure) => ratioRow(measure, sums, whole)),
    // Hours are told of months.
    ...(isDay ? [] : nursingRows(summary)),
  ];
}

interface RowContext {
  readonly denominator: Denominator;
  readonly name: Population;
  /** Reports of the units that count in occupancy. */
  readonly occupancy: Cover;
  /** Whether lengths of stay are estimated although they may be known: beside others that are. */
  readonly isEstimated?: boolean | undefined;
}

function rowsOf(
  sums: Sums,
  { denominator, name, occupancy, isEstimated = !areStaysKnown(sums) }: RowContext,
): MeasureRow[] {
  const beds = name === 'newborn' ? 'Bassinet days' : 'Bed days available';
  const rows = toldMeasures(sums, isEstimated).map((measure) => {
    const row = ratioRow(measure, sums, isOfBeds(measure.name) ? occupancy : cover(sums));
    if (measure.name !== 'occupancy') return row;
    return { ...row, label: occupancyLabel(name, denominator), from: occupancyFrom(sums, name, denominator) };
  });
  const at = rows.findIndex(({ key }) => key === 'occupancy');
  const available = count('bed_days', beds, sums.bed_days, {
    from: `each day’s ${denominator} ${name === 'newborn' ? 'bassinets' : 'beds'}, added`,
    ...occupancy,
  });
  return rows
    .toSpliced(at, 0, available)
    .flatMap((row) => (row.key === 'alos_estimated' ? [row, ...stayReports(sums)] : [row]))
    .map((row) => toldOnlyOfReports(row, sums));
}

/** Beside an estimate, how many reports tell the stays. */
function stayReports(sums: Sums): MeasureRow[] {
  const { separation_reports: all, discharge_days_reports: told } = sums;
  if (!(all > 0)) return [];
  const from = `of ${counted(all, 'report')} with a discharge or death`;
  return [count('discharge_days_reports', 'Reports with discharge days', told, { from, ...cover(sums) })];
}

/** What nobody has reported is not 0, it is not known; how many reports are in is known all the same. */
function toldOnlyOfReports(row: MeasureRow, sums: Sums): MeasureRow {
  const isOut = sums.units_reported === 0 || (row.reported === 0 && row.expected > 0);
  return isOut && !isAboutReports(row.key) ? { ...row, value: null, from: 'No report is in' } : row;
}

function isAboutReports(key: string): boolean {
  return key === 'completeness' || key === 'timeliness';
}

function occupancyLabel(name: Population, denominator: Denominator): string {
  return name === 'newborn' ? 'Bassinet occupancy' : `Occupancy, ${denominator} beds`;
}

/** What is divided by what: a share of the beds at the census hour, as the board has it, is another figure. */
function occupancyFrom(
  { occupancy_service_days: taken, bed_days: beds }: Sums,
  name: Population,
  denominator: Denominator,
): string {
  const one = name === 'newborn' ? `${denominator} bassinet day` : `${denominator} bed day`;
  return `${counted(taken, 'service day')} ÷ ${counted(beds, one)}`;
}

/** How many of the expected reports a figure is made of. */
export interface Cover {
  readonly reported: number;
  readonly expected: number;
}

/** Of all units of a population, or of one. */
export function cover({ units_reported, units_expected }: Sums): Cover {
  return { reported: units_reported, expected: units_expected };
}

/** The same of the units that count in occupancy. */
export function occupancyCover(units: readonly SummaryUnit[], name: Population): Cover {
  const counting = units.filter((unit) => unit.population === name && unit.counts_in_occupancy);
  return counting.reduce<Cover>(
    ({ reported, expected }, { sums }) => ({
      reported: reported + sums.units_reported,
      expected: expected + sums.units_expected,
    }),
    { reported: 0, expected: 0 },
  );
}

function isOfBeds(name: MeasureName): boolean {
  return name === 'occupancy' || name.startsWith('turnover');
}

function count(key: string, label: string, value: number, rest: { from: string } & Cover): MeasureRow {
  return { key, label, value: String(value), unit: '', ...rest };
}

function ratioRow({ name, value, unit }: Measure, sums: Sums, covered: Cover): MeasureRow {
  return { key: name, label: LABELS[name], value, unit: UNITS[unit], from: SENTENCES[name](sums), ...covered };
}

const LABELS: Readonly<Record<MeasureName, string>> = {
  average_daily_census: 'Average daily census',
  occupancy: 'Occupancy',
  alos: 'Average length of stay',
  alos_estimated: 'Length of stay, estimated',
  turnover_direct: 'Bed turnover, direct',
  turnover_indirect: 'Bed turnover, indirect',
  turnover_indirect_estimated: 'Bed turnover, indirect, estimated',
  turnover_interval: 'Turnover interval',
  gross_death_rate: 'Gross death rate',
  net_death_rate: 'Net death rate',
  churn: 'Churn index',
  completeness: 'Reports in',
  timeliness: 'Reports on time',
};

const separated = ({ discharges, deaths }: Sums) => counted(discharges + deaths, 'separation');

/** Of the units with beds alone: boarders leave as well, but free none. */
const leftBeds = ({ occupancy_separations }: Sums) =>
  counted(occupancy_separations, 'separation from these beds', 'separations from these beds');

/** Occupancy × days ÷ length of stay, as one division. */
const turnover = (sums: Sums, stays: string) =>
  `${formatCount(sums.occupancy_service_days)} × ${counted(sums.days, 'day')} × ${leftBeds(sums)} ÷ (${counted(sums.bed_days, 'bed day')} × ${stays})`;

const SENTENCES: Readonly<Record<MeasureName, (sums: Sums) => string>> = {
  average_daily_census: (sums) => `${counted(sums.service_days, 'service day')} ÷ ${counted(sums.days, 'day')}`,
  occupancy: (sums) => `${formatCount(sums.occupancy_service_days)} ÷ ${counted(sums.bed_days, 'bed day')}`,
  alos: (sums) => `${counted(sums.discharge_days, 'discharge day')} ÷ ${separated(sums)}`,
  alos_estimated: (sums) => `${counted(sums.service_days, 'service day')} ÷ ${separated(sums)}`,
  turnover_direct: (sums) => `${leftBeds(sums)} × ${counted(sums.days, 'day')} ÷ ${counted(sums.bed_days, 'bed day')}`,
  turnover_indirect: (sums) => turnover(sums, counted(sums.occupancy_discharge_days, 'discharge day')),
  turnover_indirect_estimated: (sums) => turnover(sums, counted(sums.occupancy_service_days, 'service day')),
  turnover_interval: (sums) =>
    `(${counted(sums.bed_days, 'bed day')} − ${formatCount(sums.occupancy_service_days)}) ÷ ${leftBeds(sums)}`,
  gross_death_rate: (sums) => `${counted(sums.deaths, 'death')} ÷ ${separated(sums)}`,
  net_death_rate: (sums) =>
    `(${counted(sums.deaths, 'death')} − ${formatCount(sums.deaths_u48)} under 48 h) ÷ (${separated(sums)} − ${formatCount(sums.deaths_u48)})`,
  churn: (sums) =>
    `${counted(movementsOf(sums), 'movement')} ÷ ${counted(sums.census_days, 'patient')} at the census hour`,
  completeness: (sums) => `${formatCount(sums.units_reported)} ÷ ${counted(sums.units_expected, 'report')} expected`,
  timeliness: (sums) => `${formatCount(sums.units_on_time)} ÷ ${counted(sums.units_expected, 'report')} expected`,
};

/** Everybody who came, left or moved. */
export function movementsOf(sums: Sums): number {
  return sums.admissions + sums.births + sums.transfers_in + sums.discharges + sums.deaths + sums.transfers_out;
}

/** A row's figure with its unit: `81.63 %`. */
export function figureOf({ value, unit }: Pick<MeasureRow, 'value' | 'unit'>): string {
  if (unit === '%') return formatPercent(value);
  return value === null || unit === '' ? formatDecimal(value) : `${formatDecimal(value)} ${unit}`;
}
