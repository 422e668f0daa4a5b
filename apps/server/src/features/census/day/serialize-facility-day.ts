import { NO_COUNTS } from '@wardline/census/balance.ts';
import { isGap, transferGap } from '@wardline/census/rules.ts';
import { isHandedIn } from '@wardline/census/states.ts';
import type { UnitDayCondition } from '@wardline/contract/census/census.ts';
import type { FacilityDay, TransferCell, UnitOfDay } from '@wardline/contract/census/day.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import { withOwnDiscussions } from '#/features/census/core/discussion-queries.ts';
import { newFacilityDay } from '#/features/census/core/facility-day-clock.ts';
import { approveReports, reopenDays, signDay } from '#/features/census/core/policy.ts';
import { toFacilityContext } from '#/features/census/core/require-facility.ts';
import { urgencyOf } from '#/features/census/reports/unit-day/conditions.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { blockersOf } from './blockers.ts';
import { locksAt, signOffDueAt } from './day-times.ts';
import {
  type DayRow,
  findDay,
  findTransfers,
  findUnitsOfDay,
  type TransferRow,
  type UnitOfDayRow,
} from './facility-day-queries.ts';

/** Everything that is known of a facility's day, read at one moment. */
export interface DayState {
  readonly day: DayRow;
  readonly units: readonly UnitOfDayRow[];
  readonly transfers: readonly TransferRow[];
}

/** The day as it is stored, or as it will be made when its first report comes. */
export async function readDay(db: RequestContext['db'], place: FacilityConfig, date: string): Promise<DayState> {
  const key = { facilityNo: place.facility_no, date };
  const day = (await findDay(db, key)) ?? unmadeDay(place, date);
  return { day, units: await findUnitsOfDay(db, key), transfers: await findTransfers(db, key) };
}

function unmadeDay(place: FacilityConfig, date: string): DayRow {
  const { timeZone, censusAt, dueAt } = newFacilityDay(place, date);
  return {
    status: 'open',
    version: 1,
    time_zone: timeZone,
    census_at: censusAt,
    due_at: dueAt,
    override_reason: null,
    reopen_reason: null,
    signed_at: null,
    signed_by: null,
    locked_at: null,
    log_head: null,
  };
}

interface Asked {
  readonly place: FacilityConfig;
  readonly date: string;
  readonly now: Date;
}

/** The day as it is now, as somebody is told of it. */
export async function serializeFacilityDay(
  ctx: Pick<RequestContext, 'actor' | 'db'>,
  asked: Asked,
): Promise<FacilityDay> {
  return serializeDayState(ctx, await readDay(ctx.db, asked.place, asked.date), asked);
}

/** The same of what is read already. */
export async function serializeDayState(
  ctx: Pick<RequestContext, 'actor' | 'db'>,
  state: DayState,
  asked: Asked,
): Promise<FacilityDay> {
  const units = await withOwnDiscussions(ctx, state.units);
  return buildFacilityDay({ ...state, units }, { ...asked, actor: ctx.actor });
}

/** A signature is said while it holds: of a reopened day the log tells it. */
function buildFacilityDay(state: DayState, { place, date, actor, now }: Asked & { actor: Actor }): FacilityDay {
  const { day, units, transfers } = state;
  const isSigned = day.status === 'approved' || day.status === 'locked';
  const signed = isSigned ? day : null;
  const handedIn = units.filter((unit) => isHandedIn(unit.status));
  return {
    facility_id: place.facility_id,
    census_date: date,
    status: day.status,
    version: day.version,
    time_zone: day.time_zone,
    census_at: day.census_at.toISOString(),
    due_at: day.due_at.toISOString(),
    sign_off_due_at: signOffDueAt(place, day.census_at).toISOString(),
    locks_at: locksAt(place, date).toISOString(),
    denominator: place.denominator,
    units_expected: units.length,
    units_submitted: handedIn.length,
    units_on_time: handedIn.filter((unit) => unit.is_on_time).length,
    transfer_gap: transferGap(transfers),
    units: units.map((unit) => toUnit(unit, state, now)),
    transfers: transfers.map(toCell),
    blockers: isSigned ? [] : blockersOf(state, now),
    override_reason: signed?.override_reason ?? null,
    reopen_reason: day.status === 'reopened' ? day.reopen_reason : null,
    signed_at: signed?.signed_at?.toISOString() ?? null,
    signed_by: signed?.signed_by ?? null,
    locked_at: day.status === 'locked' ? (day.locked_at?.toISOString() ?? null) : null,
    log_head: signed?.log_head ?? null,
    may: mayOf(actor, place, day),
  };
}

/** A move between two units, with what both sides say. */
export function toCell({ from_code, to_code, is_both_in, ...cell }: TransferRow): TransferCell {
  return { ...cell, gap: transferGap([{ ...cell, is_both_in }]) };
}

function mayOf(actor: Actor, place: FacilityConfig, { status }: DayRow): FacilityDay['may'] {
  const state = toFacilityContext(place);
  const isSigned = status === 'approved' || status === 'locked';
  const maySign = can(actor, signDay, state);
  return {
    sign: maySign && !isSigned,
    lock: maySign && status === 'approved',
    reopen: isSigned && can(actor, reopenDays, state),
    approve: can(actor, approveReports, state),
  };
}

function toUnit(row: UnitOfDayRow, state: DayState, now: Date): UnitOfDay {
  return { ...toFigures(row), conditions: conditionsOf(row, state, now) };
}

/** What is not handed in says no figure: it would be read as one. */
export function toFigures(row: UnitOfDayRow): Omit<UnitOfDay, 'conditions'> {
  const { unit_no, is_provisional, is_restated, counts, ...unit } = row;
  const isIn = isHandedIn(row.status);
  const onLeave = counts?.on_leave ?? null;
  return {
    ...unit,
    opening: isIn ? row.opening : null,
    counts: isIn && counts ? counts : NO_COUNTS,
    closing: isIn ? row.closing : null,
    present: isIn && row.closing !== null && onLeave !== null ? row.closing - onLeave : null,
    service_days: isIn ? row.service_days : null,
    submitted_at: row.submitted_at?.toISOString() ?? null,
  };
}

function conditionsOf(
  row: UnitOfDayRow,
  { day, transfers }: Pick<DayState, 'day' | 'transfers'>,
  now: Date,
): UnitDayCondition[] {
  const { status, is_on_time } = row;
  const urgency = urgencyOf(status === null ? null : { status, is_on_time }, day, now);
  const mine = transfers.filter(
    ({ from_unit_id, to_unit_id, population }) =>
      population === row.population && (from_unit_id === row.unit_id || to_unit_id === row.unit_id),
  );
  return [
    ...(urgency ? [urgency] : []),
    ...(row.is_restated ? (['restated'] as const) : []),
    ...(mine.some(isGap) ? (['unreconciled'] as const) : []),
    ...(row.is_provisional ? (['provisional'] as const) : []),
  ];
}
