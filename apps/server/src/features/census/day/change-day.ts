import type { FacilityDay } from '@wardline/contract/census-day.ts';
import type { CensusAction } from '@wardline/contract/census-logs.ts';
import { lockHead } from '#/features/census/core/append-log.ts';
import { brokenRule } from '#/features/census/core/broken-rules.ts';
import { censusChanged } from '#/features/census/core/change-events.ts';
import { ensureFacilityDay, type FacilityConfig } from '#/features/census/core/config-queries.ts';
import { newFacilityDay } from '#/features/census/core/facility-day-clock.ts';
import { withRefusalLogging } from '#/features/census/core/log-refusal.ts';
import { isRepeat } from '#/features/census/core/request-once.ts';
import { type FacilityContext, requireFacilityOn, toFacilityContext } from '#/features/census/core/require-facility.ts';
import { type Action, authorize } from '#/platform/http/authorize.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { lockDayRows } from './facility-day-queries.ts';
import { type DayState, readDay, serializeFacilityDay } from './serialize-facility-day.ts';

/** What is done to a facility's day. */
export interface DayAct {
  readonly action: Extract<CensusAction, `facility_day.${string}`>;
  readonly wanted: Action<FacilityContext>;
  readonly params: { readonly facility: string; readonly date: string };
  readonly body: { readonly client_id: string; readonly version: number };
}

/** The day as it is held by the transaction of the act. */
export interface HeldDay extends DayState {
  readonly tx: Transaction;
  readonly place: FacilityConfig;
  readonly date: string;
  readonly now: Date;
}

/**
 * The frame of every act on a day: who may, the facility's census held, the same request once, nobody else's change
 * overwritten; `change` does it and tells what the audit says. Answers with the day as it is then.
 */
export async function changeDay(
  ctx: RequestContext,
  act: DayAct,
  change: (held: HeldDay) => Promise<Readonly<Record<string, unknown>>>,
): Promise<FacilityDay> {
  const { facility: facilityId, date } = act.params;
  const place = await requireFacilityOn(ctx, { facilityId, date });
  const refused = { facilityNo: place.facility_no, facilityId, entry: { action: act.action, date } };
  const now = new Date();
  await withRefusalLogging(ctx, refused, async () => {
    authorize(ctx.actor, act.wanted, toFacilityContext(place));
    return ctx.write(`census.${act.action}`, async (tx) => {
      await lockHead(tx, place.facility_no);
      const request = { endpoint: act.action, params: act.params, body: act.body };
      if (await isRepeat(tx, { userId: ctx.actor.userId, ...request })) return { result: undefined, audit: null };
      const held = await holdDay(tx, { place, date, now });
      if (held.day.version !== act.body.version) throw staleDay(held.day.version);
      const detail = await change(held);
      return {
        result: undefined,
        audit: { facilityId, objectType: 'facility_day', detail: { date, ...detail } },
        publish: censusChanged(facilityId, [{ dates: [date], unitId: null }]),
      };
    });
  });
  return serializeFacilityDay(ctx, { place, date, now });
}

async function holdDay(
  tx: Transaction,
  { place, date, now }: { place: FacilityConfig; date: string; now: Date },
): Promise<HeldDay> {
  const day = newFacilityDay(place, date);
  if (day.censusAt > now) {
    throw brokenRule({ code: 'NOT_YET_DUE', field: null, message: 'The census of this day is not taken yet.' });
  }
  await ensureFacilityDay(tx, day);
  await lockDayRows(tx, { facilityNo: place.facility_no, date });
  return { tx, place, date, now, ...(await readDay(tx, place, date)) };
}

function staleDay(version: number) {
  const message = `Someone changed this day in the meantime; it is at version ${version} now.`;
  return brokenRule({ code: 'VERSION_CONFLICT', field: 'version', message }, 'conflict');
}
