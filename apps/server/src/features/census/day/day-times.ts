import { addDays, censusInstant, dateIn, firstInstant } from '@wardline/census/calendar.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';

/** By when the facility signs a day: the first time its sign-off hour comes after the count. */
export function signOffDueAt(place: FacilityConfig, censusAt: Date): Date {
  const date = dateIn(place.time_zone, censusAt);
  const sameDay = firstInstant(date, place.sign_off_time, place.time_zone);
  return sameDay >= censusAt ? sameDay : firstInstant(addDays(date, 1), place.sign_off_time, place.time_zone);
}

/** When a signed day locks by itself: at the census hour so many calendar days later, however long those days are. */
export function locksAt(place: FacilityConfig, date: string): Date {
  return censusInstant(addDays(date, place.lock_after_days), place);
}
