import type { UnknownStay } from '@wardline/contract/census/feed.ts';
import type { NewLogEntry } from '#/features/census/core/append-log.ts';
import { brokenRule } from '#/features/census/core/broken-rules.ts';
import { censusChanged } from '#/features/census/core/change-events.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import { withRefusalLogging } from '#/features/census/core/log-refusal.ts';
import { approveReports } from '#/features/census/core/policy.ts';
import { isRepeat } from '#/features/census/core/request-once.ts';
import {
  dateOfNow,
  requireFacilityAgain,
  requireFacilityNow,
  toFacilityContext,
} from '#/features/census/core/require-facility.ts';
import { findUnknownStays, type UnknownStayRow } from '#/features/census/hl7/unknown-stays.ts';
import { lockVisit } from '#/features/census/hl7/visit-queries.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { toUnknownStay } from './list-unknown-stays.ts';

interface Decision {
  readonly endpoint: 'acceptUnknownStay' | 'dismissUnknownStay';
  readonly action: Extract<NewLogEntry['action'], 'stay.accept' | 'stay.dismiss'>;
  readonly params: { readonly facility: string; readonly stay: string };
  readonly body: { readonly client_id: string; readonly version: number };
  /** What becomes of it; answers the census dates that it touches. */
  readonly act: (tx: Transaction, place: FacilityConfig, stay: UnknownStayRow) => Promise<readonly string[]>;
}

/** The frame of both answers: who may, what they looked at still holds, and it is done once. */
export async function decideUnknownStay(
  ctx: RequestContext,
  { endpoint, action, params, body, act }: Decision,
): Promise<UnknownStay> {
  const { facility: facilityId, stay: id } = params;
  const place = await requireFacilityNow(ctx, facilityId);
  const { facility_no: facilityNo } = place;
  return withRefusalLogging(ctx, { facilityNo, facilityId, entry: { action } }, async () => {
    authorize(ctx.actor, approveReports, toFacilityContext(place));
    const asked = await requireStay(ctx.db, { facilityNo, id });
    const request = { userId: ctx.actor.userId, endpoint, params, body };
    return ctx.write(`census.${action}`, async (tx) => {
      // A message about the visit waits for this, or this for it.
      await lockVisit(tx, { facilityNo, visitKey: asked.visit_key });
      const now = { facilityId, date: dateOfNow() };
      const asIs = await requireFacilityAgain({ tx, actor: ctx.actor }, now, approveReports);
      const stored = await requireStay(tx, { facilityNo, id });
      if (await isRepeat(tx, request)) return { result: toUnknownStay(stored), audit: null };
      guardOpen(stored, body.version);
      const dates = await act(tx, asIs, stored);
      // It waited for the facility as well.
      await requireFacilityAgain({ tx, actor: ctx.actor }, now, approveReports);
      return {
        result: toUnknownStay(await requireStay(tx, { facilityNo, id })),
        audit: { facilityId, objectType: 'adt_unknown_stay', objectId: id, detail: { date: stored.census_date } },
        publish: censusChanged(facilityId, [{ dates: [stored.census_date, ...dates], unitId: null }]),
      };
    });
  });
}

async function requireStay(
  db: RequestContext['db'] | Transaction,
  { facilityNo, id }: { facilityNo: number; id: string },
): Promise<UnknownStayRow> {
  const [stay] = await findUnknownStays(db, { facilityNo, id, limit: 1 });
  if (!stay) throw new AppError('not_found');
  return stay;
}

function guardOpen({ state, version }: UnknownStayRow, asked: number): void {
  if (state !== 'open') {
    throw brokenRule({ code: 'WRONG_STATUS', field: null, message: 'This is answered already.' });
  }
  if (version === asked) return;
  const message = 'The patient system has said something else since. Look at it again.';
  throw brokenRule({ code: 'VERSION_CONFLICT', field: 'version', message }, 'conflict');
}
