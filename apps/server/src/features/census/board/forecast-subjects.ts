import { datesFrom } from '@wardline/census/calendar.ts';
import { type DatedBeds, staffedOn } from '@wardline/census/forecast/beds-ahead.ts';
import { sumKnown } from '@wardline/census/sum-known.ts';
import type { ForecastSeries } from '@wardline/contract/census/board.ts';
import type { Population } from '@wardline/contract/census/census.ts';
import type { DateRange } from './date-range.ts';
import { isOpenOn } from './expected-days.ts';
import type { UnitDays } from './unit-days.ts';

type Values = readonly (number | null)[];

/** What a forecast is about: who was there, and the staffed beds. */
export interface ForecastSubject
  extends Pick<ForecastSeries, 'unit_id' | 'unit_code' | 'population' | 'counts_in_occupancy'> {
  /** A value a day of the past. */
  readonly present: Values;
  readonly beds: Values;
  /** Of the coming days on which it is open; null where there are no beds, or nobody has told them. */
  readonly bedsAhead: ReadonlyMap<string, number | null>;
}

/** The days that are known, those that come, and the beds that are planned for them. */
export interface ForecastDays {
  readonly past: DateRange;
  readonly ahead: DateRange;
  readonly planned: readonly PlannedBeds[];
}

export function unitSubject(days: UnitDays, { ahead, planned }: ForecastDays): ForecastSubject {
  const { unit, population } = days;
  const plan = planned.filter((beds) => beds.unit_no === unit.unit_no && beds.population === population);
  const hasBeds = unit.counts_in_occupancy;
  const newest = days.bed_days.findLast((beds) => beds !== null) || null;
  const dates = datesFrom(ahead.from, ahead.to).filter((date) => isOpenOn(unit, population, date));
  return {
    unit_id: unit.unit_id,
    unit_code: unit.unit_code,
    population,
    counts_in_occupancy: hasBeds,
    present: days.present,
    // Reports say 0 of a unit without beds, and of one whose beds nobody has told; with a plan 0 is said on purpose.
    beds: hasBeds && plan.length > 0 ? days.bed_days : days.bed_days.map((beds) => beds || null),
    bedsAhead: new Map(dates.map((date) => [date, hasBeds ? (staffedOn(plan, date) ?? newest) : null])),
  };
}

/** The units of a population that have beds, as one; null where none of them has a past. */
export function facilitySubject(
  unitDays: readonly UnitDays[],
  population: Population,
  days: ForecastDays,
): ForecastSubject | null {
  const inBeds = unitDays.filter((one) => one.population === population && one.unit.counts_in_occupancy);
  if (!inBeds.some(({ marks }) => /[^-]/.test(marks))) return null;
  const units = inBeds.map((one) => ({ ...unitSubject(one, days), marks: one.marks }));
  // A day counts only when every unit that was expected has reported.
  const reportedBy = datesFrom(days.past.from, days.past.to).map((_, day) => {
    const due = units.filter(({ marks }) => marks[day] !== '-');
    return due.every(({ present }) => (present[day] ?? null) !== null) ? due : [];
  });
  const dates = datesFrom(days.ahead.from, days.ahead.to);
  return {
    unit_id: null,
    unit_code: null,
    population,
    counts_in_occupancy: true,
    present: reportedBy.map((due, day) => sumKnown(due.map(({ present }) => present[day] ?? null))),
    beds: reportedBy.map((due, day) => sumKnown(due.map(({ beds }) => beds[day] ?? null))),
    bedsAhead: new Map(
      dates.map((date) => [date, sumKnown(units.map(({ bedsAhead }) => bedsAhead.get(date) ?? null))]),
    ),
  };
}

/** Staffed beds of a unit and population as the settings plan them. */
export interface PlannedBeds extends DatedBeds {
  readonly unit_no: number;
  readonly population: Population;
}
