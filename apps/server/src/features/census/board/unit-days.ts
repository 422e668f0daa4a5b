import { datesFrom, daysBetween } from '@wardline/census/calendar.ts';
import { POPULATIONS, type Population } from '@wardline/contract/census/census.ts';
import type { EstimateRow } from '#/features/census/core/estimate-queries.ts';
import type { CensusUnit } from './current-config-queries.ts';
import type { DateRange } from './date-range.ts';
import { isOpenOn } from './expected-days.ts';
import type { UnitReports } from './heatmap-queries.ts';

/** A unit and population day by day over a range; null where nothing was handed in. */
export interface UnitDays {
  readonly unit: CensusUnit;
  readonly population: Population;
  readonly service_days: readonly (number | null)[];
  readonly present: readonly (number | null)[];
  readonly bed_days: readonly (number | null)[];
  /** One letter a day, as in the contract. */
  readonly marks: string;
  readonly restated: number[];
  readonly late: number[];
  /** What stands for days that are missing; in none of the numbers. */
  readonly estimates: { index: number; census: number; by: string; reason: string }[];
}

interface Options {
  readonly units: readonly CensusUnit[];
  readonly reports: readonly UnitReports[];
  readonly estimates?: readonly EstimateRow[];
  /** The newest census date that has been counted: nothing is expected after it. */
  readonly newest: string;
}

/** A row for every unit and population that was expected on a day of the range. */
export function unitDaysOf({ units, reports, estimates = [], newest }: Options, range: DateRange): UnitDays[] {
  const dates = datesFrom(range.from, range.to);
  return units.flatMap((unit) => {
    const own = reports.filter(({ unit_no }) => unit_no === unit.unit_no);
    return populationsOf(unit, own).map((population) => {
      const report = own.find((candidate) => candidate.population === population);
      const expected = dates.map((date) => (date <= newest && isOpenOn(unit, population, date) ? 'm' : '-'));
      const estimated = estimates.filter((one) => one.unit_no === unit.unit_no && one.population === population);
      return { unit, population, ...daysOf(report, expected, estimatesByIndex(estimated, range)) };
    });
  });
}

function estimatesByIndex(estimates: readonly EstimateRow[], { from }: DateRange): UnitDays['estimates'] {
  return estimates.map(({ census_date, census, by, reason }) => ({
    index: daysBetween(from, census_date),
    census,
    by,
    reason,
  }));
}

/** What was handed in takes the place of what was expected; an estimate only that of what is missing. */
function daysOf(
  report: UnitReports | undefined,
  expected: readonly string[],
  estimates: UnitDays['estimates'],
): Omit<UnitDays, 'unit' | 'population'> {
  const marks = [...expected];
  report?.days.forEach((day, index) => {
    marks[day] = report.marks[index] ?? 's';
  });
  const standing = estimates.filter(({ index }) => marks[index] === 'm');
  for (const { index } of standing) marks[index] = 'e';
  const spread = (values: readonly number[] | undefined) => spreadOver(expected.length, report?.days, values);
  return {
    service_days: spread(report?.service_days),
    present: spread(report?.present),
    bed_days: spread(report?.bed_days),
    marks: marks.join(''),
    restated: (report?.restated ?? []).toSorted((a, b) => a - b),
    late: (report?.late ?? []).toSorted((a, b) => a - b),
    estimates: standing,
  };
}

/** What the unit reports now, and what it reported in the range. */
export function populationsOf(
  unit: CensusUnit,
  reported: readonly { readonly population: Population }[],
): Population[] {
  return POPULATIONS.filter(
    (population) =>
      unit.populations.includes(population) || reported.some((report) => report.population === population),
  );
}

function spreadOver(length: number, days: readonly number[] = [], values: readonly number[] = []): (number | null)[] {
  const spread: (number | null)[] = Array(length).fill(null);
  days.forEach((day, index) => {
    spread[day] = values[index] ?? null;
  });
  return spread;
}
