import { addDays, existsIn } from '@wardline/census/calendar.ts';
import { isGap, type TransferText } from '@wardline/census/rules.ts';
import { isHandedIn } from '@wardline/census/states.ts';
import type { UnitDayCondition, UnitDayStatus } from '@wardline/contract/census/census.ts';
import type { UnitDayState } from './unit-day-state.ts';

/** So long after it was due a report is not late any more but missing. */
const MISSING_AFTER_MS = 60 * 60_000;

interface Times {
  readonly census_at: Date;
  readonly due_at: Date;
}

/** How urgent a report is by the clock; null when it is not expected yet, or came in time. */
export function urgencyOf(
  report: { readonly status: UnitDayStatus; readonly is_on_time: boolean | null } | null,
  { census_at, due_at }: Times,
  now: Date,
): 'due' | 'late' | 'missing' | null {
  if (report && isHandedIn(report.status)) return report.is_on_time === false ? 'late' : null;
  if (now < census_at) return null;
  if (now <= due_at) return 'due';
  // What was returned had been there: it is late with its correction, not missing.
  const wasThere = report?.status === 'returned';
  return wasThere || now.getTime() <= due_at.getTime() + MISSING_AFTER_MS ? 'late' : 'missing';
}

/** What is true of a report now besides its status. */
export function conditionsOf(unitDay: UnitDayState, now: Date): UnitDayCondition[] {
  const { report, day, transfers } = unitDay;
  const urgency = urgencyOf(report, day, now);
  const isIn = report !== null && isHandedIn(report.status);
  const conditions: UnitDayCondition[] = urgency ? [urgency] : [];
  if (report?.restatement_no) conditions.push('restated');
  if (isIn && transfers.some((move) => isGap(sidesOf(move)))) conditions.push('unreconciled');
  if (isProvisional(unitDay)) conditions.push('provisional');
  return conditions;
}

/** What both sides of a report that is handed in say. A gap does not care who says which. */
export function sidesOf({ mine, theirs, partner_status }: UnitDayState['transfers'][number]): TransferText {
  return { out_count: mine, in_count: theirs, is_both_in: isHandedIn(partner_status) };
}

/** The opening will move when a report comes that is not there: of the day before, or one that was returned. */
function isProvisional({ link, key, day }: UnitDayState): boolean {
  if (!link) return false;
  let before = addDays(key.date, -1);
  while (!existsIn(before, day.time_zone)) before = addDays(before, -1);
  return link.census_date !== before || !isHandedIn(link.status);
}
