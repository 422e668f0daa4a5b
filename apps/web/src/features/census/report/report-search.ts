import { CensusClass, DayText } from '@wardline/contract/census.ts';
import { Id } from '@wardline/contract/values.ts';
import * as z from 'zod/mini';
import type { ReportPlace } from './engine/report-unit.ts';

const Place = z.object({ unit: Id, date: DayText, class: z._default(CensusClass, 'adult_child') });

/** The report that an address names; null where it names none, or none that could be. */
export function readPlace(search: Readonly<Record<string, unknown>>): ReportPlace | null {
  const parsed = z.safeParse(Place, search);
  return parsed.success ? parsed.data : null;
}
