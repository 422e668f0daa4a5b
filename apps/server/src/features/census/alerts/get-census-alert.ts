import type * as contract from '@wardline/contract/census/board.ts';
import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { seeBoard } from '#/features/census/core/policy.ts';
import { requireRight } from '#/features/census/core/require-facility.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { findAlert, serializeAlert } from './alert-queries.ts';

type Endpoint = typeof contract.getCensusAlert;

/** For whoever sees the board on which the alert stands. */
export async function getCensusAlert(
  { actor, db }: RequestContext,
  { params }: { params: ParamsOf<Endpoint> },
): Promise<ReplyOf<Endpoint>> {
  const { facility: facilityId, alert: alertId } = params;
  requireRight(actor, facilityId, seeBoard);
  const alert = await findAlert(db, { facilityId, alertId });
  if (!alert) throw new AppError('not_found');
  return serializeAlert(alert);
}
