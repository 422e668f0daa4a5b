import { requireRight } from '#/features/census/core/require-facility.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { Action } from '#/platform/http/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { type CensusFacility, findCensusFacility } from './current-config-queries.ts';

interface InFacility {
  readonly facilityId: string;
}

/** The facility for somebody who may do this there. */
export async function requireCensus(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  facilityId: string,
  wanted: Action<InFacility>,
): Promise<CensusFacility> {
  requireRight(actor, facilityId, wanted);
  const facility = await findCensusFacility(db, facilityId);
  if (!facility) throw new AppError('not_found');
  return facility;
}
