import { censusDateOf } from '@wardline/census/calendar.ts';
import type { startCensusFeed as endpoint, FeedUnit } from '@wardline/contract/census/feed.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { counted } from '@wardline/format/counts.ts';
import { appendAfter, lockHead } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { brokenRule, guardReason } from '#/features/census/core/broken-rules.ts';
import { censusChanged } from '#/features/census/core/change-events.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import { withRefusalLogging } from '#/features/census/core/log-refusal.ts';
import { configure } from '#/features/census/core/policy.ts';
import { isRepeat } from '#/features/census/core/request-once.ts';
import { dateOfNow, requireFacilityAgain, requireFacilityNow } from '#/features/census/core/require-facility.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { findFeedUnits, nextDateOf, serializeFeed } from './get-census-feed.ts';

type Endpoint = typeof endpoint;

/** Lets the patient system say something of the reports, from the next census date on. */
export async function startCensusFeed(
  ctx: RequestContext,
  { params, body }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { facility: facilityId } = params;
  const asked = await requireFacilityNow(ctx, facilityId);
  const { facility_no: facilityNo } = asked;
  const now = new Date();
  await withRefusalLogging(ctx, { facilityNo, facilityId, entry: { action: 'settings.change' } }, async () => {
    authorize(ctx.actor, configure, { facilityId });
    await ctx.write('census.feed.start', async (tx) => {
      const head = await lockHead(tx, facilityNo);
      const place = await requireFacilityAgain({ tx, actor: ctx.actor }, { facilityId, date: dateOfNow() }, configure);
      const request = { userId: ctx.actor.userId, endpoint: 'startCensusFeed', params, body };
      if (await isRepeat(tx, request)) return { result: undefined, audit: null };
      guardNotStarted(place);
      const units = await findFeedUnits(tx, { facilityNo, date: censusDateOf(now, place), now });
      const differences = guardSeeded(units, body.reason ?? '');
      const from = nextDateOf(place, now);
      const query = tx.updateTable('census_facilities').set({ feed_live_from: from });
      await query.where('facility_no', '=', facilityNo).execute();
      const accepted = differences.length > 0 ? { feed_differences: differences } : {};
      const entry = {
        action: 'settings.change',
        before: { feed_live_from: null },
        after: { feed_live_from: from, ...accepted },
        reason: differences.length > 0 ? (body.reason ?? null) : null,
      } as const;
      await appendAfter(tx, head, { facilityNo, author: authorOf(ctx, facilityId), entries: [entry] });
      return {
        result: undefined,
        audit: { facilityId, detail: { from, differences: differences.length } },
        publish: censusChanged(facilityId, [{ dates: [from], unitId: null }]),
      };
    });
  });
  return serializeFeed(ctx.db, await requireFacilityNow(ctx, facilityId), now);
}

function guardNotStarted({ feed_live_from: from }: FacilityConfig): void {
  if (from === null) return;
  const message = `The patient system counts from ${from} already.`;
  throw brokenRule({ code: 'WRONG_STATUS', field: null, message });
}

/** Nobody is told to be in where patients are: refused. Others are told than the reports have: only with a reason. */
function guardSeeded(units: readonly FeedUnit[], reason: string): string[] {
  const sum = (of: (unit: FeedUnit) => number) => units.reduce((total, unit) => total + of(unit), 0);
  const patients = sum(({ closing }) => closing ?? 0);
  if (patients > 0 && sum(({ told }) => told) === 0) {
    const message = `By the newest reports ${counted(patients, 'patient is', 'patients are')} in, and the patient system knows of none. Bring in who is in first.`;
    throw brokenRule({ code: 'UNBALANCED', field: 'stays', message });
  }
  const differences = units.flatMap((unit) => differenceOf(unit) ?? []);
  if (differences.length === 0) return [];
  if (reason.trim() === '') {
    const message = `The patient system and the reports differ: ${differences.join('; ')}. Bring in who is missing, or enter why it may start all the same.`;
    throw brokenRule({ code: 'UNBALANCED', field: 'reason', message });
  }
  guardReason(reason);
  return differences;
}

function differenceOf({ unit_code, population, census_date, closing, told }: FeedUnit): string | null {
  if (closing === null || closing === told) return null;
  const unit = population === 'newborn' ? `${unit_code} newborn` : unit_code;
  return `${unit} closed ${census_date} with ${closing}, the patient system has ${told}`;
}
