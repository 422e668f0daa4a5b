import type { listRefusedMessages as endpoint, RefusedMessage } from '@wardline/contract/census/feed.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { Selectable } from 'kysely';
import { configure } from '#/features/census/core/policy.ts';
import { requireFacilityNow, requireRight } from '#/features/census/core/require-facility.ts';
import type { AdtRejects } from '#/platform/db/types.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof endpoint;

const USUAL = 20;

/** What is shown of a refused message. Its text, which names a patient, is read by nobody. */
export const SHOWN_OF_REJECT = [
  'id',
  'received_at',
  'sender',
  'kind',
  'control_id',
  'answer',
  'code',
  'reason',
  'tries',
  'tried_at',
  'is_whole',
] as const;

type Shown = Pick<Selectable<AdtRejects>, (typeof SHOWN_OF_REJECT)[number]>;

/** The messages that were refused, for whoever sets the facility's census up. */
export async function listRefusedMessages(
  ctx: RequestContext,
  { params, query }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  requireRight(ctx.actor, params.facility, configure);
  const { facility_no: facilityNo } = await requireFacilityNow(ctx, params.facility);
  const { cursor, limit = USUAL } = query;
  let found = ctx.db
    .selectFrom('adt_rejects')
    .select(SHOWN_OF_REJECT)
    .where('facility_no', '=', facilityNo)
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (cursor !== undefined) found = found.where('id', '<', idCursor(cursor));
  const rows = await found.execute();
  const shown = rows.slice(0, limit);
  return {
    data: shown.map(toRefusedMessage),
    next_cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

export function toRefusedMessage({ received_at, tried_at, answer, code, is_whole, ...row }: Shown): RefusedMessage {
  return {
    ...row,
    received_at: received_at.toISOString(),
    tried_at: tried_at.toISOString(),
    answer: answer === 'AR' ? 'AR' : 'AE',
    error_code: code,
    can_retry: is_whole,
  };
}
