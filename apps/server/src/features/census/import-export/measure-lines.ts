import { addSums, type Measure, type MeasureName, measuresOf } from '@wardline/census/measures.ts';
import { hoursPerPatientDay, hoursText } from '@wardline/census/nursing-hours.ts';
import { exactRatio } from '@wardline/census/ratio.ts';
import { POPULATIONS, type Population } from '@wardline/contract/census/census.ts';
import { MEASURE_COLUMNS, type MeasureColumn } from '@wardline/contract/census/exchange.ts';
import type { NursingSums } from '@wardline/contract/census/nursing.ts';
import type { CensusSummary, Sums, SumsByPopulation } from '@wardline/contract/census/summary.ts';
import { type Cell, Decimal } from '#/platform/files/csv.ts';

export type MeasureLine = Readonly<Record<MeasureColumn, Cell>>;

/** How many of the expected reports a figure is made of. */
interface Cover {
  readonly reported: number;
  readonly expected: number;
}

type Figure = Pick<Measure, 'name' | 'value' | 'unit' | 'numerator' | 'denominator'> & { readonly cover: Cover };
type NamedFigure = Omit<Figure, 'name' | 'unit'> & { readonly name: string; readonly unit: string };

/** Of whom and of when the lines are. */
export interface LineContext {
  readonly facilityCode: string;
  readonly beds: CensusSummary['denominator'];
  readonly from: string;
  readonly to: string;
}

type SummaryUnit = CensusSummary['units'][number];

/** The figures of a facility over a period, as its summary shows them: of all patients, then of each population that is reported. */
export function facilityLines(
  context: LineContext,
  total: SumsByPopulation,
  units: readonly SummaryUnit[],
): MeasureLine[] {
  const { adult_and_child, newborn } = total;
  const together = addSums([adult_and_child, newborn], adult_and_child.days);
  const populations = POPULATIONS.filter((name) => total[name].units_expected > 0);
  return [
    ...togetherFigures(together, context).map((figure) => lineOf(context, '', 'all', figure)),
    ...populations.flatMap((name) =>
      populationFigures(total[name], occupancyCover(units, name)).map((figure) => lineOf(context, '', name, figure)),
    ),
  ];
}

/** The same of one unit. */
export function unitLines(context: LineContext, unit: SummaryUnit): MeasureLine[] {
  const cover = occupancyCover([unit], unit.population);
  return populationFigures(unit.sums, cover).map((figure) => lineOf(context, unit.unit_code, unit.population, figure));
}

/** Nursing hours per patient day, of registered nurses and of all; what is counted as in are months of units. */
export function nursingLines(context: LineContext, unitCode: string, sums: NursingSums): MeasureLine[] {
  return (['rn', 'all'] as const).map((name) => {
    const { hundredths, patient_days, unit_months } = sums[name];
    return {
      ...lineOf(context, unitCode, 'all', {
        name: `nursing_hours_per_patient_day_${name}`,
        value: hoursPerPatientDay(sums[name]),
        unit: 'hours',
        numerator: null,
        denominator: patient_days,
        cover: { reported: unit_months, expected: sums.unit_months_expected },
      }),
      numerator: new Decimal(hoursText(hundredths)),
    };
  });
}

export function measureCells(line: MeasureLine): Cell[] {
  return MEASURE_COLUMNS.map((column) => line[column]);
}

function lineOf(
  { facilityCode, beds, from, to }: LineContext,
  unitCode: string,
  population: Population | 'all',
  { name, value, unit, numerator, denominator, cover }: NamedFigure,
): MeasureLine {
  const completeness = exactRatio(cover.reported, cover.expected, { factor: 100 });
  return {
    facility_code: facilityCode,
    unit_code: unitCode || null,
    from,
    to,
    population,
    measure: name,
    value: value === null ? null : new Decimal(value),
    unit,
    numerator,
    denominator,
    beds: isOfBeds(name) ? beds : null,
    reports_in: cover.reported,
    reports_expected: cover.expected,
    completeness_percent: completeness === null ? null : new Decimal(completeness),
  };
}

function togetherFigures(sums: Sums, { from, to }: LineContext): NamedFigure[] {
  const cover = coverOf(sums);
  const counts = [
    // A count of one moment: over days it would be a sum that means nothing.
    ...(from === to ? [count('inpatients', sums.census_days, cover)] : []),
    count('service_days', sums.service_days, cover),
    count('separations', sums.discharges + sums.deaths, cover),
  ];
  const reports = measuresOf(sums).filter(({ name }) => isAboutReports(name));
  return [...counts.map((figure) => knownByReports(figure, sums)), ...reports.map((one) => ({ ...one, cover }))];
}

function populationFigures(sums: Sums, occupancy: Cover): NamedFigure[] {
  const figures = measuresOf(sums).map(
    (one): Figure => ({ ...one, cover: isOfBeds(one.name) ? occupancy : coverOf(sums) }),
  );
  return [count('bed_days', sums.bed_days, occupancy), ...figures].map((figure) => knownByReports(figure, sums));
}

/** What nobody has reported is not 0, it is not known; how many reports are in is known all the same. */
function knownByReports(figure: NamedFigure, sums: Sums): NamedFigure {
  const { reported, expected } = figure.cover;
  const isOut = sums.units_reported === 0 || (reported === 0 && expected > 0);
  return isOut && !isAboutReports(figure.name)
    ? { ...figure, value: null, numerator: null, denominator: null }
    : figure;
}

function count(name: string, value: number, cover: Cover): NamedFigure {
  return {
    name,
    value: String(value),
    unit: name.endsWith('days') ? 'days' : 'patients',
    numerator: value,
    denominator: null,
    cover,
  };
}

function coverOf({ units_reported, units_expected }: Sums): Cover {
  return { reported: units_reported, expected: units_expected };
}

/** Of the units that count in occupancy. */
function occupancyCover(units: readonly SummaryUnit[], name: Population): Cover {
  const counting = units
    .filter((unit) => unit.population === name && unit.counts_in_occupancy)
    .map(({ sums }) => coverOf(sums));
  return {
    reported: counting.reduce((sum, { reported }) => sum + reported, 0),
    expected: counting.reduce((sum, { expected }) => sum + expected, 0),
  };
}

const REPORT_MEASURES: ReadonlySet<string> = new Set(['completeness', 'timeliness'] satisfies MeasureName[]);

function isAboutReports(name: string): boolean {
  return REPORT_MEASURES.has(name);
}

function isOfBeds(name: string): boolean {
  return name === 'bed_days' || name === 'occupancy' || name.startsWith('turnover');
}
