import type { forgetCensusFeed as endpoint } from '@wardline/contract/census/feed.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { appendAfter, lockHead } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { brokenRule, guardReason } from '#/features/census/core/broken-rules.ts';
import { censusChanged } from '#/features/census/core/change-events.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import { withRefusalLogging } from '#/features/census/core/log-refusal.ts';
import { configure } from '#/features/census/core/policy.ts';
import { isRepeat } from '#/features/census/core/request-once.ts';
import { dateOfNow, requireFacilityAgain, requireFacilityNow } from '#/features/census/core/require-facility.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { nextDateOf, serializeFeed } from './get-census-feed.ts';

type Endpoint = typeof endpoint;

/** Forgets all that the patient system has told of patients and beds, before it counts. */
export async function forgetCensusFeed(
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
    await ctx.write('census.feed.forget', async (tx) => {
      const head = await lockHead(tx, facilityNo);
      const place = await requireFacilityAgain({ tx, actor: ctx.actor }, { facilityId, date: dateOfNow() }, configure);
      const request = { userId: ctx.actor.userId, endpoint: 'forgetCensusFeed', params, body };
      if (await isRepeat(tx, request)) return { result: undefined, audit: null };
      guardNotStarted(place);
      const { patients, visits } = await forgetAll(tx, facilityNo);
      const changed = { before: { feed_patients: patients }, after: { feed_patients: 0 } };
      const entry = { action: 'settings.change', ...changed, reason } as const;
      await appendAfter(tx, head, { facilityNo, author: authorOf(ctx, facilityId), entries: [entry] });
      return {
        result: undefined,
        audit: { facilityId, detail: { patients, visits } },
        publish: censusChanged(facilityId, [{ dates: [nextDateOf(place, now)], unitId: null }]),
      };
    });
  });
  return serializeFeed(ctx.db, await requireFacilityNow(ctx, facilityId), now);
}

function guardNotStarted({ feed_live_from: from }: FacilityConfig): void {
  if (from === null) return;
  const message = `The patient system counts from ${from}. Stop it first.`;
  throw brokenRule({ code: 'WRONG_STATUS', field: null, message });
}

const forgotten = typedRows<{ patients: number; visits: number }>({ patients: 'number', visits: 'number' });

/**
 * Removes every visit with what came of it, merges, questions and beds. Answers how many patients were in, and how many visits
 * there were. What was refused is kept.
 */
async function forgetAll(tx: Transaction, facilityNo: number): Promise<{ patients: number; visits: number }> {
  const [counts] = await forgotten.read(
    tx,
    sql`
    with events as (
      delete from adt_events where facility_no = ${facilityNo} returning visit_key
    ), stays as (
      delete from adt_stays where facility_no = ${facilityNo} returning visit_key, during
    ), movements as (
      delete from adt_movements where facility_no = ${facilityNo}
    ), questions as (
      delete from adt_unknown_stays where facility_no = ${facilityNo}
    ), merges as (
      delete from adt_merges where facility_no = ${facilityNo}
    ), beds as (
      delete from adt_beds where facility_no = ${facilityNo}
    )
    select (select count(distinct visit_key)::int from stays where upper_inf(during)) as patients,
      (select count(distinct visit_key)::int from events) as visits`,
  );
  return counts ?? { patients: 0, visits: 0 };
}
