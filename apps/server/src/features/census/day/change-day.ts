import type { FacilityDay } from '@wardline/contract/census/day.ts';
import type { CensusAction } from '@wardline/contract/census/logs.ts';
import { type LogHead, lockHead } from '#/features/census/core/append-log.ts';
import { brokenRule } from '#/features/census/core/broken-rules.ts';
import { censusChanged } from '#/features/census/core/change-events.ts';
import { ensureFacilityDay, type FacilityConfig } from '#/features/census/core/config-queries.ts';
import { newFacilityDay } from '#/features/census/core/facility-day-clock.ts';
import { withRefusalLogging } from '#/features/census/core/log-refusal.ts';
import { isKnownRepeat, isRepeat } from '#/features/census/core/request-once.ts';
import {
  type FacilityContext,
  requireFacilityAgain,
  requireFacilityOn,
  toFacilityContext,
} from '#/features/census/core/require-facility.ts';
import { type Action, authorize } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { findDay, findUnitsOfDay, lockDayRows } from './facility-day-queries.ts';
import { type DayState, readDay, serializeDayState } from './serialize-facility-day.ts';

/** What is done to a facility's day. */
export interface DayAct {
  readonly action: Extract<CensusAction, `facility_day.${string}`>;
  readonly wanted: Action<FacilityContext>;
  readonly params: { readonly facility: string; readonly date: string };
  readonly body: { readonly client_id: string; readonly version: number };
  /** Refuses what cannot be done; asked before the facility is held, and again by the change itself. */
  readonly check: (day: CheckedDay) => void;
}

/** The day as it is read. */
export interface CheckedDay extends DayState {
  readonly place: FacilityConfig;
  readonly date: string;
  readonly now: Date;
}

/** The day as it is held by the transaction of the act. */
export interface HeldDay extends CheckedDay {
  readonly tx: Transaction;
  /** Where the log ends before the act. */
  readonly head: LogHead;
}

/** What was done to it. */
export interface DayChange {
  /** For the audit. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly hasLockedReports?: boolean;
}

/**
 * The frame of every act on a day: who may, the facility's census held, rights asked again, the same request once, the day read once, nobody
 * else's change overwritten; then `change` does it. Answers with the day as it is then.
 */
export async function changeDay(
  ctx: RequestContext,
  act: DayAct,
  change: (held: HeldDay) => Promise<DayChange>,
): Promise<FacilityDay> {
  const { facility: facilityId, date } = act.params;
  const known = await requireFacilityOn(ctx, { facilityId, date });
  const { facility_no: facilityNo } = known;
  const refused = { facilityNo, facilityId, entry: { action: act.action, date } };
  const now = new Date();
  return withRefusalLogging(ctx, refused, async () => {
    authorize(ctx.actor, act.wanted, toFacilityContext(known));
    const request = { userId: ctx.actor.userId, endpoint: act.action, params: act.params, body: act.body };
    if (!(await isKnownRepeat(ctx.db, request))) await checkUnheld(ctx, act, { place: known, date, now });
    return ctx.write(`census.${act.action}`, async (tx) => {
      const head = await lockHead(tx, facilityNo);
      const place = await requireFacilityAgain({ tx, actor: ctx.actor }, { facilityId, date }, act.wanted);
      const answer = (state: DayState) => serializeDayState({ actor: ctx.actor, db: tx }, state, { place, date, now });
      if (await isRepeat(tx, request)) return { result: await answer(await readDay(tx, place, date)), audit: null };
      const held = await holdDay(tx, { place, head, date, now });
      if (held.day.version !== act.body.version) throw staleDay(held.day.version);
      const { detail, hasLockedReports = false } = await change(held);
      return {
        result: await answer(await readAfter(held, hasLockedReports)),
        audit: { facilityId, objectType: 'facility_day', detail: { date, ...detail } },
        publish: censusChanged(facilityId, [{ dates: [date], unitId: null }]),
      };
    });
  });
}

interface WhichDay {
  readonly place: FacilityConfig;
  readonly date: string;
  readonly now: Date;
}

/** Read at one moment, so that what is refused here would have been refused then. */
async function checkUnheld({ db }: RequestContext, act: DayAct, { place, date, now }: WhichDay): Promise<void> {
  guardCounted(place, date, now);
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  const state = await snapshot.execute((tx) => readDay(tx, place, date));
  if (state.day.version !== act.body.version) throw staleDay(state.day.version);
  act.check({ ...state, place, date, now });
}

function guardCounted(place: FacilityConfig, date: string, now: Date): void {
  if (newFacilityDay(place, date).censusAt <= now) return;
  throw brokenRule({ code: 'NOT_YET_DUE', field: null, message: 'The census of this day is not taken yet.' });
}

async function holdDay(
  tx: Transaction,
  { place, head, date, now }: WhichDay & Pick<HeldDay, 'head'>,
): Promise<HeldDay> {
  const day = newFacilityDay(place, date);
  guardCounted(place, date, now);
  await ensureFacilityDay(tx, day);
  await lockDayRows(tx, { facilityNo: place.facility_no, date });
  return { tx, place, head, date, now, ...(await readDay(tx, place, date)) };
}

/** Read again is what the act can have changed: the day, and where it locked them its reports. */
async function readAfter(held: HeldDay, hasLockedReports: boolean): Promise<DayState> {
  const { tx, place, date, transfers } = held;
  const key = { facilityNo: place.facility_no, date };
  const day = (await findDay(tx, key)) ?? held.day;
  return { day, units: hasLockedReports ? await findUnitsOfDay(tx, key) : held.units, transfers };
}

function staleDay(version: number) {
  const message = `Someone changed this day in the meantime; it is at version ${version} now.`;
  return brokenRule({ code: 'VERSION_CONFLICT', field: 'version', message }, 'conflict');
}
