import type * as contract from '@wardline/contract/census/settings.ts';
import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { subscribe } from '#/features/census/core/policy.ts';
import { requireFacilityFor } from '#/features/census/core/require-facility.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { LATEST_CLOCK, serializeSettings } from './serialize-settings.ts';

type Endpoint = typeof contract.getCensusSettings;

/** For whoever opens one of the census pages; changing them is another question. */
export async function getCensusSettings(
  ctx: RequestContext,
  { params }: { params: ParamsOf<Endpoint> },
): Promise<ReplyOf<Endpoint>> {
  const question = { facilityId: params.facility, date: LATEST_CLOCK };
  return serializeSettings(ctx.db, await requireFacilityFor(ctx, question, subscribe), ctx.actor);
}
