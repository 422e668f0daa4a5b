import type { Facility } from '@wardline/contract/facilities.ts';
import { useFacilityDay } from '#/features/census/core/summary-queries.ts';
import { SignBar } from './sign-bar.tsx';

/** The bar under the day; nothing before the day is known. */
export function SignBarOf({ facility, date }: { facility: Facility; date: string }) {
  const { data: day } = useFacilityDay(facility.id, date);
  return day ? <SignBar key={date} day={day} /> : null;
}
