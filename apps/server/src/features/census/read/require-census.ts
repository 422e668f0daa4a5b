import { type Action, can, must } from '#/platform/authorise/can.ts';
import type { RequestContext } from '#/platform/context.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { belongTo } from '../policy.ts';
import { type CensusFacility, findCensusFacility } from './place-now-queries.ts';

interface InFacility {
  readonly facilityId: string;
}

/** The facility for somebody who may do this there. A stranger learns nothing (404), a member without the right 403. */
export async function requireCensus(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  facilityId: string,
  wanted: Action<InFacility>,
): Promise<CensusFacility> {
  if (!can(actor, belongTo, { facilityId })) throw new AppError('not_found');
  must(actor, wanted, { facilityId });
  const facility = await findCensusFacility(db, facilityId);
  if (!facility) throw new AppError('not_found');
  return facility;
}
