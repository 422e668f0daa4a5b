import { addDays, censusInstant, existsIn } from '@wardline/census/calendar.ts';
import type { UnitPlace } from './config-queries.ts';

/** A census date begins when the one before it is counted: from then on its comings and goings can be written down. */
export function hasBegun(place: Pick<UnitPlace, 'time_zone' | 'census_time'>, date: string, now: Date): boolean {
  let before = addDays(date, -1);
  while (!existsIn(before, place.time_zone)) before = addDays(before, -1);
  return now >= censusInstant(before, place);
}
