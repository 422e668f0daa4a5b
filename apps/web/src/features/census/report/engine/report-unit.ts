import type { Population } from '@wardline/contract/census/census.ts';
import type { UnitDay, UnitDayEntry } from '@wardline/contract/census/unit.ts';

/** Which report: a unit, a census date and whom it counts. */
export interface ReportPlace {
  readonly unit: string;
  readonly date: string;
  readonly population: Population;
}

/** A report that leaves this device: what was typed, and on what it was based. */
export interface ReportPayload extends ReportPlace {
  readonly entry: Omit<UnitDayEntry, 'client_id'>;
  /** The report as it was when the person began to change it: the third side of a comparison. */
  readonly base: UnitDay;
}

export function isPlace(place: ReportPlace, other: ReportPlace): boolean {
  return place.unit === other.unit && place.date === other.date && place.population === other.population;
}
