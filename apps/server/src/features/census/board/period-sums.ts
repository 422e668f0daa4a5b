import { daysBetween } from '@wardline/census/calendar.ts';
import { addSums, noSums } from '@wardline/census/measures.ts';
import type { Population } from '@wardline/contract/census/census.ts';
import type { CensusSummary, SummaryStep, Sums, SumsByPopulation } from '@wardline/contract/census/summary.ts';
import type { CensusUnit, LicensedBeds } from './current-config-queries.ts';
import type { DateRange } from './date-range.ts';
import { countedPart, expectedDays } from './expected-days.ts';
import { firstDayOf, stepsOf } from './steps.ts';
import type { ReportedSums, StepSums, UnitSums } from './summary-queries.ts';
import { populationsOf } from './unit-days.ts';

type OfPopulation<Row> = Row & { readonly population: Population };

interface Expectation {
  readonly units: readonly CensusUnit[];
  /** The part of the period that has been counted; null: nothing is expected yet. */
  readonly period: DateRange | null;
  readonly beds: readonly LicensedBeds[];
}

/** What was reported, beside what was expected, adults and children apart from newborns. */
export function sumsByPopulation(
  rows: readonly OfPopulation<ReportedSums>[],
  expectation: Expectation,
): SumsByPopulation {
  return {
    adult_and_child: sumsOf('adult_and_child', rows, expectation),
    newborn: sumsOf('newborn', rows, expectation),
  };
}

function sumsOf(population: Population, rows: readonly OfPopulation<ReportedSums>[], expectation: Expectation): Sums {
  const { units, period } = expectation;
  const days = period ? daysBetween(period.from, period.to) + 1 : 0;
  const reported = rows
    .filter((row) => row.population === population)
    .map((row) => ({ ...noSums(days), ...numbersOf(row) }));
  const expected = period ? units.reduce((sum, unit) => sum + expectedDays(unit, population, period), 0) : 0;
  const licensed_bed_days = licensedBedDays(population, expectation);
  return { ...addSums(reported, days), licensed_bed_days, units_expected: expected };
}

/** Of the plan: what the law allows a unit to have does not depend on who has reported. */
function licensedBedDays(population: Population, { units, period, beds }: Expectation): number {
  if (period === null) return 0;
  const counting = new Map(units.filter((unit) => unit.counts_in_occupancy).map((unit) => [unit.unit_no, unit]));
  return beds.reduce((sum, row) => {
    const unit = counting.get(row.unit_no);
    if (unit === undefined || row.population !== population) return sum;
    const part = { from: later(row.from, period.from), to: earlier(row.to, period.to) };
    return sum + (part.from > part.to ? 0 : expectedDays(unit, population, part) * row.licensed);
  }, 0);
}

const later = (one: string, other: string): string => (one > other ? one : other);
const earlier = (one: string, other: string): string => (one < other ? one : other);

/** A row of the database without what names it. */
function numbersOf(row: ReportedSums): ReportedSums {
  const { step, unit_no, population, ...numbers } = row as ReportedSums & Partial<StepSums & UnitSums>;
  return numbers;
}

interface Steps {
  readonly units: readonly CensusUnit[];
  readonly beds: readonly LicensedBeds[];
  readonly range: DateRange;
  readonly by: SummaryStep;
  readonly newest: string;
}

/** The sums of each step of the range, also of those in which nothing was reported. */
export function stepSums(
  rows: readonly StepSums[],
  { units, beds, range, by, newest }: Steps,
): (DateRange & { sums: SumsByPopulation })[] {
  const rowsOf = new Map<string | null, StepSums[]>();
  for (const row of rows) rowsOf.set(row.step, [...(rowsOf.get(row.step) ?? []), row]);
  return stepsOf(range, by).map((step) => ({
    ...step,
    sums: sumsByPopulation(rowsOf.get(firstDayOf(step.from, by)) ?? [], {
      units,
      beds,
      period: countedPart(step, newest),
    }),
  }));
}

/** A unit's sums over the range, for each population that it reports or reported. */
export function sumsOfUnit(
  unit: CensusUnit,
  rows: readonly UnitSums[],
  expectation: Pick<Expectation, 'period' | 'beds'>,
): CensusSummary['units'] {
  const own = rows.filter(({ unit_no }) => unit_no === unit.unit_no);
  return populationsOf(unit, own).map((population) => ({
    unit_id: unit.unit_id,
    unit_code: unit.unit_code,
    unit_name: unit.unit_name,
    population,
    counts_in_occupancy: unit.counts_in_occupancy,
    sums: sumsOf(population, own, { ...expectation, units: [unit] }),
  }));
}
