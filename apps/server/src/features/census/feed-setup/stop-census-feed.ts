import type { stopCensusFeed as endpoint } from '@wardline/contract/census/feed.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { appendAfter, lockHead } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { brokenRule, guardReason } from '#/features/census/core/broken-rules.ts';
import { censusChanged } from '#/features/census/core/change-events.ts';
import { withRefusalLogging } from '#/features/census/core/log-refusal.ts';
import { configure } from '#/features/census/core/policy.ts';
import { isRepeat } from '#/features/census/core/request-once.ts';
import { dateOfNow, requireFacilityAgain, requireFacilityNow } from '#/features/census/core/require-facility.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { nextDateOf, serializeFeed } from './get-census-feed.ts';

type Endpoint = typeof endpoint;

/** Lets the patient system say nothing of any report; it is heard as before its start, and can be started again. */
export async function stopCensusFeed(
  ctx: RequestContext,
  { params, body }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { facility: facilityId } = params;
  const { reason } = body;
  const { facility_no: facilityNo } = await requireFacilityNow(ctx, facilityId);
  const now = new Date();
  await withRefusalLogging(ctx, { facilityNo, facilityId, entry: { action: 'settings.change' } }, async () => {
    authorize(ctx.actor, configure, { facilityId });
    guardReason(reason);
    await ctx.write('census.feed.stop', async (tx) => {
      const head = await lockHead(tx, facilityNo);
      const place = await requireFacilityAgain({ tx, actor: ctx.actor }, { facilityId, date: dateOfNow() }, configure);
      const request = { userId: ctx.actor.userId, endpoint: 'stopCensusFeed', params, body };
      if (await isRepeat(tx, request)) return { result: undefined, audit: null };
      const { feed_live_from: from } = place;
      if (from === null) throw notStarted();
      const query = tx.updateTable('census_facilities').set({ feed_live_from: null });
      await query.where('facility_no', '=', facilityNo).execute();
      const changed = { before: { feed_live_from: from }, after: { feed_live_from: null } };
      const entry = { action: 'settings.change', ...changed, reason } as const;
      await appendAfter(tx, head, { facilityNo, author: authorOf(ctx, facilityId), entries: [entry] });
      return {
        result: undefined,
        audit: { facilityId, detail: { from } },
        publish: censusChanged(facilityId, [{ dates: [from, nextDateOf(place, now)], unitId: null }]),
      };
    });
  });
  return serializeFeed(ctx.db, await requireFacilityNow(ctx, facilityId), now);
}

function notStarted() {
  return brokenRule({ code: 'WRONG_STATUS', field: null, message: 'The patient system is not started.' });
}
