import type { retryRefusedMessage as endpoint, RefusedMessage } from '@wardline/contract/census/feed.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { appendLog } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { brokenRule } from '#/features/census/core/broken-rules.ts';
import { censusChanged } from '#/features/census/core/change-events.ts';
import { configure } from '#/features/census/core/policy.ts';
import { isRepeat } from '#/features/census/core/request-once.ts';
import { requireFacilityNow, requireRight } from '#/features/census/core/require-facility.ts';
import type { Feed } from '#/features/census/hl7/feed.ts';
import { type Received, takeAdt } from '#/features/census/hl7/receive-adt.ts';
import { datesToldOf, openFeed } from '#/features/census/hl7/receive-hl7.ts';
import { Hl7Error } from '#/platform/hl7/hl7-error.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { SHOWN_OF_REJECT, toRefusedMessage } from './list-refused-messages.ts';

type Endpoint = typeof endpoint;

/** Takes a refused message as if it came now: what was wrong with the settings may have been mended. */
export function retryRefusedMessage(secret: Buffer) {
  return async (ctx: RequestContext, { params, body }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> => {
    const { facility: facilityId, message: id } = params;
    requireRight(ctx.actor, facilityId, configure);
    const place = await requireFacilityNow(ctx, facilityId);
    const feed = await openFeed(ctx.db, { place, secret, author: authorOf(ctx, facilityId) });
    return ctx.write('census.feed.retry', async (tx) => {
      const request = { userId: ctx.actor.userId, endpoint: 'retryRefusedMessage', params, body };
      const reject = { id, facilityNo: place.facility_no };
      if (await isRepeat(tx, request)) return { result: { refused: await findRefused(tx, reject) }, audit: null };
      const text = await lockReject(tx, reject);
      const { received, refused } = await tryAgain(tx, feed, { id, text });
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

interface Tried {
  readonly received: Received | null;
  readonly refused: RefusedMessage | null;
}

async function tryAgain(tx: Transaction, feed: Feed, { id, text }: { id: string; text: string }): Promise<Tried> {
  try {
    const received = await takeAdt(tx, feed, text);
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
