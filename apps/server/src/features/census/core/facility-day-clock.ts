import { addDays, type CensusClock, censusInstant, existsIn } from '@wardline/census/calendar.ts';
import { offsetMinutes } from '@wardline/format/zone.ts';
import type { FacilityConfig, NewFacilityDay, UnitConfig } from './config-queries.ts';

const MINUTE_MS = 60_000;

/** A census date of a facility on its clock: when it is counted and when the reports are due. */
export function newFacilityDay(place: FacilityConfig, date: string): NewFacilityDay {
  return dayOnClock(place, { facilityNo: place.facility_no, date });
}

/** The same for a facility of which only the clock is known. */
export function dayOnClock(
  clock: CensusClock & { readonly grace_minutes: number },
  { facilityNo, date }: Pick<NewFacilityDay, 'facilityNo' | 'date'>,
): NewFacilityDay {
  const censusAt = censusInstant(date, clock);
  return {
    facilityNo,
    date,
    timeZone: clock.time_zone,
    utcOffsetMinutes: offsetMinutes(clock.time_zone, censusAt.getTime()),
    censusAt,
    dueAt: new Date(censusAt.getTime() + clock.grace_minutes * MINUTE_MS),
  };
}

/** A census date begins when the one before it is counted: from then on its comings and goings can be written down. */
export function hasBegun(place: Pick<UnitConfig, 'time_zone' | 'census_time'>, date: string, now: Date): boolean {
  let before = addDays(date, -1);
  while (!existsIn(before, place.time_zone)) before = addDays(before, -1);
  return now >= censusInstant(before, place);
}
