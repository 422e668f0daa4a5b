import type * as contract from '@wardline/contract/census/settings.ts';
import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { changeSettings } from './change-settings.ts';
import { addUnit } from './units.ts';

type Endpoint = typeof contract.createCensusUnit;

export async function createCensusUnit(
  ctx: RequestContext,
  { params, body }: { params: ParamsOf<Endpoint>; body: BodyOf<Endpoint> },
): Promise<ReplyOf<Endpoint>> {
  const { version, ...names } = body;
  return changeSettings(ctx, { facilityId: params.facility, version }, (tx, place) => addUnit(tx, place, names));
}
