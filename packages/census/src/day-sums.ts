import { SUMMED_FIELDS } from '@wardline/contract/census/census.ts';
import type { FacilityDay, UnitOfDay } from '@wardline/contract/census/day.ts';
import type { Sums, SumsByPopulation } from '@wardline/contract/census/summary.ts';
import { addSums, noSums } from './measures.ts';
import { isHandedIn } from './states.ts';

type DayReport = Pick<
  UnitOfDay,
  'population' | 'counts_in_occupancy' | 'status' | 'is_on_time' | 'counts' | 'closing' | 'service_days' | 'beds'
>;

/**
 * What the reports of one day add up to, so that a sheet of that day can be worked out from the figures on it. A report that
 * is not in is expected and adds nothing but its licensed beds, which are a fact of the date.
 */
export function sumsOfDay(units: readonly DayReport[], denominator: FacilityDay['denominator']): SumsByPopulation {
  const of = (population: UnitOfDay['population']) => {
    const reports = units.filter((unit) => unit.population === population);
    return addSums(
      reports.map((unit) => sumsOfReport(unit, denominator)),
      1,
    );
  };
  return { adult_and_child: of('adult_and_child'), newborn: of('newborn') };
}

/** One unit and population on one day. */
export function sumsOfReport(unit: DayReport, denominator: FacilityDay['denominator']): Sums {
  const { beds, counts, closing, service_days } = unit;
  const inOccupancy = (figure: number) => (unit.counts_in_occupancy ? figure : 0);
  const expected = { ...noSums(1), units_expected: 1, licensed_bed_days: inOccupancy(beds.licensed) };
  if (!isHandedIn(unit.status)) return expected;
  const counted = Object.fromEntries(SUMMED_FIELDS.map((field) => [field, counts[field] ?? 0]));
  const separations = (counts.discharges ?? 0) + (counts.deaths ?? 0);
  const hasSeparations = separations > 0;
  return {
    ...expected,
    ...counted,
    discharge_days: counts.discharge_days ?? 0,
    occupancy_discharge_days: inOccupancy(counts.discharge_days ?? 0),
    separation_reports: hasSeparations ? 1 : 0,
    discharge_days_reports: hasSeparations && typeof counts.discharge_days === 'number' ? 1 : 0,
    units_reported: 1,
    units_on_time: unit.is_on_time === true ? 1 : 0,
    census_days: closing ?? 0,
    service_days: service_days ?? 0,
    occupancy_service_days: inOccupancy(service_days ?? 0),
    occupancy_separations: inOccupancy(separations),
    bed_days: inOccupancy(beds[denominator]),
    staffed_bed_days: inOccupancy(beds.staffed),
    blocked_bed_days: inOccupancy(beds.blocked),
  };
}
