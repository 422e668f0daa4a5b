import type { dismissUnknownStay as endpoint } from '@wardline/contract/census/feed.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { appendLog } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { guardReason } from '#/features/census/core/broken-rules.ts';
import { findLoggedUnits } from '#/features/census/hl7/feed-queries.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { decideUnknownStay } from './decide-unknown-stay.ts';

type Endpoint = typeof endpoint;

/** Leaves a move or discharge uncounted, in somebody's words. */
export function dismissUnknownStay(
  ctx: RequestContext,
  { params, body }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { reason } = body;
  return decideUnknownStay(ctx, {
    ...{ endpoint: 'dismissUnknownStay', action: 'stay.dismiss', params, body },
    async act(tx, { facility_no: facilityNo }, stay) {
      guardReason(reason);
      const closed = { closed_at: sql<Date>`now()`, closed_by: ctx.actor.userId, version: sql<number>`version + 1` };
      await tx
        .updateTable('adt_unknown_stays')
        .set({ ...closed, state: 'dismissed', reason })
        .where('id', '=', stay.id)
        .execute();
      const unit = (await findLoggedUnits(tx, facilityNo)).get(stay.unit_no ?? 0);
      const entry = {
        action: 'stay.dismiss',
        ...(unit && { unit }),
        date: stay.census_date,
        population: stay.population,
        after: { event: stay.kind },
        reason,
      } as const;
      await appendLog(tx, { facilityNo, author: authorOf(ctx, params.facility), entries: [entry] });
      return [];
    },
  });
}
