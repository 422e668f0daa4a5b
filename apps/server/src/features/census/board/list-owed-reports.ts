import { addDays, censusInstant, dateIn, existsIn } from '@wardline/census/calendar.ts';
import type { listOwedReports as endpoint, OwedReport } from '@wardline/contract/census-unit.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { belongTo } from '#/features/census/core/policy.ts';
import { urgencyOf } from '#/features/census/reports/conditions.ts';
import { hasPermission } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { can } from '#/platform/http/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { compareOwed, decodeOwedCursor, encodeOwedCursor, placeOf } from './owed-order.ts';
import { type DatedClock, findOwed, findOwnClocks, type OwedRow } from './owed-queries.ts';

type Endpoint = typeof endpoint;

const PAGE = 50;
/** So many dates are looked back for what is not in. */
const DAYS_BACK = 60;
const MINUTE_MS = 60_000;
/** So long before its hour the running date is shown, so that people see it come. */
const AHEAD_MS = 60 * MINUTE_MS;

/** What the person's units have not handed in, the most urgent first. */
export async function listOwedReports(
  { actor, db }: RequestContext,
  { query }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { facility } = query;
  if (facility !== undefined && !can(actor, belongTo, { facilityId: facility })) throw new AppError('not_found');
  const facilityIds = actor.memberships
    .map(({ facilityId }) => facilityId)
    .filter((id) => facility === undefined || id === facility)
    .filter((id) => hasPermission(actor, id, 'census.report_units'));
  if (facility !== undefined && facilityIds.length === 0) throw new AppError('forbidden');
  const after = query.cursor === undefined ? null : decodeOwedCursor(query.cursor);
  const now = new Date();
  const clocks = await findOwnClocks(db, { userId: actor.userId, facilityIds });
  const dates = [...new Set(clocks.map(({ facility_id }) => facility_id))].flatMap((id) => datesOf(clocks, id, now));
  const rows = await findOwed(db, { userId: actor.userId, dates });
  const owed = rows
    .map((row) => toOwed(row, clocks, now))
    .sort((a, b) => compareOwed(placeOf(a), placeOf(b)))
    .filter((report) => after === null || compareOwed(placeOf(report), after) > 0);
  const limit = query.limit ?? PAGE;
  const data = owed.slice(0, limit);
  const last = owed.length > limit ? data.at(-1) : undefined;
  return { data, next_cursor: last ? encodeOwedCursor(placeOf(last)) : null };
}

function clockOf(clocks: readonly DatedClock[], facilityId: string, date: string): DatedClock {
  const own = clocks.filter(({ facility_id }) => facility_id === facilityId);
  const clock = own.find(({ from_date }) => from_date <= date) ?? own[0];
  if (!clock) throw new Error('a facility without a clock');
  return clock;
}

/** The dates that were counted, the newest first, and the running one when its hour is near. */
function datesOf(clocks: readonly DatedClock[], facilityId: string, now: Date) {
  const dates: { facilityId: string; date: string; isNewest: boolean }[] = [];
  const today = dateIn(clockOf(clocks, facilityId, '9999-12-31').time_zone, now);
  let counted = 0;
  for (let date = addDays(today, 1); counted < DAYS_BACK; date = addDays(date, -1)) {
    const clock = clockOf(clocks, facilityId, date);
    if (!existsIn(date, clock.time_zone)) continue;
    const at = censusInstant(date, clock).getTime();
    const isCounted = at <= now.getTime();
    if (isCounted || at - now.getTime() <= AHEAD_MS) dates.push({ facilityId, date, isNewest: counted === 0 });
    if (isCounted) counted++;
  }
  return dates;
}

function toOwed(row: OwedRow, clocks: readonly DatedClock[], now: Date): OwedReport {
  const { status, is_on_time, version, ...report } = row;
  const clock = clockOf(clocks, row.facility_id, row.census_date);
  const censusAt = row.census_at ?? censusInstant(row.census_date, clock);
  const dueAt = row.due_at ?? new Date(censusAt.getTime() + clock.grace_minutes * MINUTE_MS);
  const stored = status ? { status, is_on_time } : null;
  const urgency = urgencyOf(stored, { census_at: censusAt, due_at: dueAt }, now);
  return {
    ...report,
    status: status ?? 'draft',
    conditions: [urgency ?? 'due'],
    version: version ?? 0,
    time_zone: row.time_zone ?? clock.time_zone,
    census_at: censusAt.toISOString(),
    due_at: dueAt.toISOString(),
  };
}
