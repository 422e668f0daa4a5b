import type * as contract from '@wardline/contract/census/day.ts';
import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { seeSummary } from '#/features/census/core/policy.ts';
import { requireFacilityFor } from '#/features/census/core/require-facility.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { serializeFacilityDay } from './serialize-facility-day.ts';

type Endpoint = typeof contract.getFacilityDay;

export async function getFacilityDay(
  ctx: RequestContext,
  { params }: { params: ParamsOf<Endpoint> },
): Promise<ReplyOf<Endpoint>> {
  const { facility: facilityId, date } = params;
  const place = await requireFacilityFor(ctx, { facilityId, date }, seeSummary);
  return serializeFacilityDay(ctx, { place, date, now: new Date() });
}
