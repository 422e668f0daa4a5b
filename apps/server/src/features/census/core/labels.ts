import { formatDay as formatDayAs } from '@wardline/format/dates.ts';
import type { FacilityFormat } from '@wardline/format/facility-format.ts';

/** A census date as its facility writes it, without the year: 'Thu 19 Nov'. */
export function formatDay(date: string, { date_order }: Pick<FacilityFormat, 'date_order'>): string {
  return formatDayAs(date, date_order, date);
}

/** A unit's report in words: 'MED 3A', 'MAT newborn'. */
export function formatReport({ unit_code, population }: { unit_code: string; population: string }): string {
  return population === 'newborn' ? `${unit_code} newborn` : unit_code;
}
