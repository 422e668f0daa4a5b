import { daysBetween } from '@wardline/census/calendar.ts';
import { addSums, noSums } from '@wardline/census/measures.ts';
import type { CensusClass } from '@wardline/contract/census.ts';
import type { CensusSummary, SummaryStep, Sums, SumsByClass } from '@wardline/contract/census-summary.ts';
import type { CensusUnit, LicensedBeds } from './current-config-queries.ts';
import type { DateRange } from './date-range.ts';
import { countedPart, expectedDays } from './expected-days.ts';
import { firstDayOf, stepsOf } from './steps.ts';
import type { ReportedSums, StepSums, UnitSums } from './summary-queries.ts';
import { classesOf } from './unit-days.ts';

type OfClass<Row> = Row & { readonly class: CensusClass };

interface Expectation {
  readonly units: readonly CensusUnit[];
  /** The part of the period that has been counted; null: nothing is expected yet. */
  readonly period: DateRange | null;
  readonly beds: readonly LicensedBeds[];
}

/** What was reported, beside what was expected, adults and children apart from newborns. */
export function sumsByClass(rows: readonly OfClass<ReportedSums>[], expectation: Expectation): SumsByClass {
  return { adult_child: sumsOf('adult_child', rows, expectation), newborn: sumsOf('newborn', rows, expectation) };
}

function sumsOf(population: CensusClass, rows: readonly OfClass<ReportedSums>[], expectation: Expectation): Sums {
  const { units, period } = expectation;
  const days = period ? daysBetween(period.from, period.to) + 1 : 0;
  const reported = rows
    .filter((row) => row.class === population)
    .map((row) => ({ ...noSums(days), ...numbersOf(row) }));
  const expected = period ? units.reduce((sum, unit) => sum + expectedDays(unit, population, period), 0) : 0;
  const licensed_bed_days = licensedBedDays(population, expectation);
  return { ...addSums(reported, days), licensed_bed_days, units_expected: expected };
}

/** Of the plan: what the law allows a unit to have does not depend on who has reported. */
function licensedBedDays(population: CensusClass, { units, period, beds }: Expectation): number {
  if (period === null) return 0;
  const counting = new Map(units.filter((unit) => unit.counts_in_occupancy).map((unit) => [unit.unit_no, unit]));
  return beds.reduce((sum, row) => {
    const unit = counting.get(row.unit_no);
    if (unit === undefined || row.class !== population) return sum;
    const part = { from: later(row.from, period.from), to: earlier(row.to, period.to) };
    return sum + (part.from > part.to ? 0 : expectedDays(unit, population, part) * row.licensed);
  }, 0);
}

const later = (one: string, other: string): string => (one > other ? one : other);
const earlier = (one: string, other: string): string => (one < other ? one : other);

/** A row of the database without what names it. */
function numbersOf(row: ReportedSums): ReportedSums {
  const { step, unit_no, class: population, ...numbers } = row as ReportedSums & Partial<StepSums & UnitSums>;
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
): (DateRange & { sums: SumsByClass })[] {
  const rowsOf = new Map<string | null, StepSums[]>();
  for (const row of rows) rowsOf.set(row.step, [...(rowsOf.get(row.step) ?? []), row]);
  return stepsOf(range, by).map((step) => ({
    ...step,
    sums: sumsByClass(rowsOf.get(firstDayOf(step.from, by)) ?? [], { units, beds, period: countedPart(step, newest) }),
  }));
}

/** A unit's sums over the range, for each class that it reports or reported. */
export function sumsOfUnit(
  unit: CensusUnit,
  rows: readonly UnitSums[],
  expectation: Pick<Expectation, 'period' | 'beds'>,
): CensusSummary['units'] {
  const own = rows.filter(({ unit_no }) => unit_no === unit.unit_no);
  return classesOf(unit, own).map((population) => ({
    unit_id: unit.unit_id,
    unit_code: unit.unit_code,
    unit_name: unit.unit_name,
    class: population,
    counts_in_occupancy: unit.counts_in_occupancy,
    sums: sumsOf(population, own, { ...expectation, units: [unit] }),
  }));
}
