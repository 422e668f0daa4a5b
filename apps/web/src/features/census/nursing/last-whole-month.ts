import { addDays } from '@wardline/census/calendar.ts';
import { type Period, periodAround } from '#/features/census/core/period.ts';

/** The newest month that has been counted to its end. */
export function lastWholeMonth(newest: string): Period {
  return periodAround('month', addDays(`${addDays(newest, 1).slice(0, 7)}-01`, -1));
}
