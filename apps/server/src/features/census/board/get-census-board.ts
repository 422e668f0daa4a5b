import { isHandedIn } from '@wardline/census/states.ts';
import type { UnitDayCondition } from '@wardline/contract/census.ts';
import type * as contract from '@wardline/contract/census-board.ts';
import type { BoardUnit } from '@wardline/contract/census-board.ts';
import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { withOwnThreads } from '#/features/census/core/discussion-queries.ts';
import { seeBoard } from '#/features/census/core/policy.ts';
import { urgencyOf } from '#/features/census/reports/conditions.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { type BoardRow, findBoardRows, findStandingAlerts } from './board-queries.ts';
import { bandsOf } from './current-config-queries.ts';
import { type NewestCount, newestCount } from './newest-count.ts';
import { requireCensus } from './require-census.ts';

const ALERT_DAYS_MS = 14 * 86_400_000;

interface Input {
  readonly params: ParamsOf<typeof contract.getCensusBoard>;
}

/** Every unit as it is now: the newest census date that has been counted, and what was counted since. */
export async function getCensusBoard(
  ctx: Pick<RequestContext, 'actor' | 'db'>,
  { params }: Input,
  now = new Date(),
): Promise<ReplyOf<typeof contract.getCensusBoard>> {
  const facility = await requireCensus(ctx, params.facility, seeBoard);
  const newest = newestCount(facility, now);
  const { facility_no: facilityNo, boarding_hours: boardingHours } = facility;
  const [rows, alerts] = await Promise.all([
    findBoardRows(ctx.db, { facilityNo, date: newest.date, censusAt: newest.censusAt, now, boardingHours }),
    findStandingAlerts(ctx.db, { facilityNo, since: new Date(now.getTime() - ALERT_DAYS_MS) }),
  ]);
  return {
    facility_id: params.facility,
    census_date: newest.date,
    time_zone: newest.timeZone,
    census_at: newest.censusAt.toISOString(),
    due_at: newest.dueAt.toISOString(),
    bands: bandsOf(facility),
    boarding_hours: boardingHours,
    units: (await withOwnThreads(ctx, rows)).map((row) => toBoardUnit(row, newest, now)),
    alerts: alerts.map(({ raised_at, acknowledged_at, ...alert }) => ({
      ...alert,
      raised_at: raised_at.toISOString(),
      acknowledged_at: acknowledged_at?.toISOString() ?? null,
    })),
  };
}

function toBoardUnit(row: BoardRow, newest: NewestCount, now: Date): BoardUnit {
  const { snapshot, present, beds, last_known, is_restated, is_provisional, is_unreconciled, ...unit } = row;
  const isIn = isHandedIn(row.status);
  return {
    ...unit,
    conditions: conditionsOf(row, newest, now),
    ...countOf(row, newest),
    beds: snapshot ? { ...beds, blocked: snapshot.blocked, staffed: snapshot.staffed } : beds,
    transfers_in: isIn ? row.transfers_in : null,
    transfers_out: isIn ? row.transfers_out : null,
    is_on_time: isIn ? row.is_on_time : null,
    last_known: isIn ? null : last_known,
  };
}

/** What was counted last: a snapshot since the census hour is newer than the report of that hour. */
function countOf({ snapshot, status, present }: BoardRow, { censusAt }: NewestCount) {
  if (snapshot) {
    const counted_at = new Date(snapshot.taken_at).toISOString();
    return { occupied: snapshot.occupied, basis: 'snapshot' as const, counted_at };
  }
  if (!isHandedIn(status) || present === null) return { occupied: null, basis: null, counted_at: null };
  return { occupied: present, basis: 'report' as const, counted_at: censusAt.toISOString() };
}

function conditionsOf(row: BoardRow, { censusAt, dueAt }: NewestCount, now: Date): UnitDayCondition[] {
  const report = row.status === null ? null : { status: row.status, is_on_time: row.is_on_time };
  const urgency = urgencyOf(report, { census_at: censusAt, due_at: dueAt }, now);
  return [
    ...(urgency === null ? [] : [urgency]),
    ...(row.is_restated ? (['restated'] as const) : []),
    ...(row.is_unreconciled ? (['unreconciled'] as const) : []),
    ...(row.is_provisional ? (['provisional'] as const) : []),
  ];
}
