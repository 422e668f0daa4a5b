import { datesFrom, daysBetween } from '@wardline/census/calendar.ts';
import { CENSUS_CLASSES, type CensusClass } from '@wardline/contract/census.ts';
import type { EstimateRow } from '../estimate-queries.ts';
import type { DateRange } from './date-range.ts';
import { isOpenOn } from './expected-days.ts';
import type { UnitReports } from './heatmap-queries.ts';
import type { CensusUnit } from './place-now-queries.ts';

/** A unit and class day by day over a range; null where nothing was handed in. */
export interface UnitDays {
  readonly unit: CensusUnit;
  readonly class: CensusClass;
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

interface Facts {
  readonly units: readonly CensusUnit[];
  readonly reports: readonly UnitReports[];
  readonly estimates?: readonly EstimateRow[];
  /** The newest census date that has been counted: nothing is expected after it. */
  readonly newest: string;
}

/** A row for every unit and class that was expected on a day of the range. */
export function unitDaysOf({ units, reports, estimates = [], newest }: Facts, range: DateRange): UnitDays[] {
  const length = daysBetween(range.from, range.to) + 1;
  return units.flatMap((unit) => {
    const own = reports.filter(({ unit_no }) => unit_no === unit.unit_no);
    return classesOf(unit, own).map((ofClass): UnitDays => {
      const report = own.find((candidate) => candidate.class === ofClass);
      const marks = datesFrom(range.from, range.to).map((date): string =>
        date <= newest && isOpenOn(unit, ofClass, date) ? 'm' : '-',
      );
      report?.days.forEach((day, index) => {
        marks[day] = report.marks[index] ?? 's';
      });
      const estimated = estimates
        .filter((one) => one.unit_no === unit.unit_no && one.class === ofClass)
        .map(({ census_date, census, by, reason }) => ({
          index: daysBetween(range.from, census_date),
          census,
          by,
          reason,
        }))
        .filter(({ index }) => marks[index] === 'm');
      for (const { index } of estimated) marks[index] = 'e';
      const spread = (values: readonly number[] | undefined) => spreadOver(length, report?.days, values);
      return {
        unit,
        class: ofClass,
        service_days: spread(report?.service_days),
        present: spread(report?.present),
        bed_days: spread(report?.bed_days),
        marks: marks.join(''),
        restated: (report?.restated ?? []).toSorted((a, b) => a - b),
        late: (report?.late ?? []).toSorted((a, b) => a - b),
        estimates: estimated,
      };
    });
  });
}

/** What the unit reports now, and what it reported in the range. */
export function classesOf(unit: CensusUnit, reported: readonly { readonly class: CensusClass }[]): CensusClass[] {
  return CENSUS_CLASSES.filter(
    (ofClass) => unit.classes.includes(ofClass) || reported.some((report) => report.class === ofClass),
  );
}

function spreadOver(length: number, days: readonly number[] = [], values: readonly number[] = []): (number | null)[] {
  const spread: (number | null)[] = Array(length).fill(null);
  days.forEach((day, index) => {
    spread[day] = values[index] ?? null;
  });
  return spread;
}
