import type { retryRefusedMessage as endpoint, RefusedMessage } from '@wardline/contract/census/feed.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { appendLog } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { brokenRule } from '#/features/census/core/broken-rules.ts';
import { censusChanged } from '#/features/census/core/change-events.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { configure } from '#/features/census/core/policy.ts';
import { isRepeat } from '#/features/census/core/request-once.ts';
import { requireFacilityNow, requireRight } from '#/features/census/core/require-facility.ts';
import type { Feed } from '#/features/census/hl7/feed.ts';
import { type Received, takeAdt } from '#/features/census/hl7/receive-adt.ts';
import { datesToldOf, isOfLaboratory, openFeed } from '#/features/census/hl7/receive-hl7.ts';
import { Hl7Error } from '#/platform/hl7/hl7-error.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { SHOWN_OF_REJECT, toRefusedMessage } from './list-refused-messages.ts';

type Endpoint = typeof endpoint;

/** Takes a refused message as if it came now: what was wrong with the settings may have been mended. */
export function retryRefusedMessage({
  feedSecret: secret,
  receiveResults,
}: Pick<CensusDeps, 'feedSecret' | 'receiveResults'>) {
  return async (ctx: RequestContext, { params, body }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> => {
    const { facility: facilityId, message: id } = params;
    requireRight(ctx.actor, facilityId, configure);
    const place = await requireFacilityNow(ctx, facilityId);
    const feed = await openFeed(ctx.db, { place, secret, author: authorOf(ctx, facilityId) });
    const retried = await retryResults(ctx, { id, place, receiveResults });
    return ctx.write('census.feed.retry', async (tx) => {
      const request = { userId: ctx.actor.userId, endpoint: 'retryRefusedMessage', params, body };
      const reject = { id, facilityNo: place.facility_no };
      if (await isRepeat(tx, request)) return { result: { refused: await findRefused(tx, reject) }, audit: null };
      const text = await lockReject(tx, reject);
      await authorizeNow(tx, ctx.actor, configure, { facilityId });
      const { received, refused } = await tryAgain(tx, feed, { id, text, retried });
      return {
        result: { refused },
        audit: {
          ...{ facilityId, objectType: 'adt_message', objectId: id, detail: { code: refused?.answer ?? 'AA' } },
          ...(refused && ({ outcome: 'refused' } as const)),
        },
        publish: received ? censusChanged(facilityId, [{ dates: datesToldOf(received), unitId: null }]) : [],
      };
    });
  };
}

interface Reject {
  readonly id: string;
  readonly facilityNo: number;
}

/** Null where it has been taken meanwhile. */
async function findRefused(tx: Transaction, { id, facilityNo }: Reject): Promise<RefusedMessage | null> {
  const query = tx.selectFrom('adt_rejects').select(SHOWN_OF_REJECT).where('id', '=', id);
  const row = await query.where('facility_no', '=', facilityNo).executeTakeFirst();
  return row ? toRefusedMessage(row) : null;
}

async function lockReject(tx: Transaction, { id, facilityNo }: Reject): Promise<string> {
  const kept = await tx
    .selectFrom('adt_rejects')
    .select(['message', 'is_whole'])
    .where('id', '=', id)
    .where('facility_no', '=', facilityNo)
    .forUpdate()
    .executeTakeFirst();
  if (!kept) throw new AppError('not_found');
  if (kept.is_whole) return kept.message;
  const message = 'Only the beginning of this message was kept. The patient system has to send it again.';
  throw brokenRule({ code: 'WRONG_STATUS', field: null, message });
}

interface Retrying extends Pick<CensusDeps, 'receiveResults'> {
  readonly id: string;
  readonly place: FacilityConfig;
}

/** Of the laboratory each report has a transaction of its own. What is stored of it is found again, so it does no harm to try twice. */
async function retryResults(ctx: RequestContext, { id, place, receiveResults }: Retrying): Promise<Trying['retried']> {
  const { facility_id: facilityId, facility_no: facilityNo, time_zone: timeZone } = place;
  const kept = ctx.db.selectFrom('adt_rejects').select(['message', 'is_whole']).where('id', '=', id);
  const found = await kept.where('facility_no', '=', facilityNo).executeTakeFirst();
  if (!found?.is_whole || !isOfLaboratory(found.message)) return null;
  try {
    const { controlId } = await receiveResults(ctx, { facilityId, timeZone, text: found.message });
    return { code: 'AA', controlId, error: null, dates: [], proposals: [] };
  } catch (error) {
    if (error instanceof Hl7Error) return error;
    throw error;
  }
}

interface Tried {
  readonly received: Received | null;
  readonly refused: RefusedMessage | null;
}

interface Trying {
  readonly id: string;
  readonly text: string;
  /** What came of it, where it is of the laboratory. */
  readonly retried: Received | Hl7Error | null;
}

async function tryAgain(tx: Transaction, feed: Feed, { id, text, retried }: Trying): Promise<Tried> {
  try {
    if (retried instanceof Hl7Error) throw retried;
    const received = retried ?? (await takeAdt(tx, feed, text));
    await tx.deleteFrom('adt_rejects').where('id', '=', id).execute();
    const { facility_no: facilityNo } = feed.place;
    const after = { message: id, event: `message ${received.controlId}, refused before, was taken` };
    await appendLog(tx, { facilityNo, author: feed.author, entries: [{ action: 'feed.receive', after }] });
    return { received, refused: null };
  } catch (error) {
    if (!(error instanceof Hl7Error)) throw error;
    const { answer, code, message: reason } = error;
    const again = { tries: sql<number>`tries + 1`, tried_at: sql<Date>`now()`, answer, code };
    const row = await tx
      .updateTable('adt_rejects')
      .set({ ...again, reason: reason.slice(0, 300) })
      .where('id', '=', id)
      .returning(SHOWN_OF_REJECT)
      .executeTakeFirstOrThrow();
    return { received: null, refused: toRefusedMessage(row) };
  }
}
