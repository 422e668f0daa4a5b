import type * as contract from '@wardline/contract/census-facility.ts';
import type { CensusAlert } from '@wardline/contract/census-facility.ts';
import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { can, must } from '#/platform/authorise/can.ts';
import type { RequestContext } from '#/platform/context.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorOf } from '../author.ts';
import { censusChanged } from '../census-news.ts';
import { appendLog } from '../log/append-log.ts';
import { lockHead } from '../log/log-queries.ts';
import { belongTo, seeBoard } from '../policy.ts';
import { findAlert, storeAcknowledgement } from './alert-queries.ts';

type Endpoint = typeof contract.acknowledgeAlert;

/** Says that somebody takes care of it. The first one stands: to acknowledge again changes nothing. */
export async function acknowledgeAlert(
  ctx: RequestContext,
  { params }: { params: ParamsOf<Endpoint> },
): Promise<ReplyOf<Endpoint>> {
  const { facility: facilityId, alert: alertId } = params;
  const { actor } = ctx;
  if (!can(actor, belongTo, { facilityId })) throw new AppError('not_found');
  must(actor, seeBoard, { facilityId });
  return ctx.write('census.alert.acknowledge', async (tx) => {
    const before = await findAlert(tx, { facilityId, alertId });
    if (!before) throw new AppError('not_found');
    await lockHead(tx, before.facility_no);
    if (!(await storeAcknowledgement(tx, { alertId, userId: actor.userId }))) {
      return { result: toAlert((await findAlert(tx, { facilityId, alertId })) ?? before), audit: null };
    }
    const {
      facility_no: facilityNo,
      unit_no: unitNo,
      unit_id: unitId,
      unit_code: unitCode,
      census_date: date,
    } = before;
    const unit = unitNo !== null && unitId !== null && unitCode !== null ? { unit: { unitNo, unitId, unitCode } } : {};
    await appendLog(tx, {
      facilityNo,
      author: authorOf(ctx, facilityId),
      entries: [{ action: 'alert.acknowledge', ...unit, date, after: { rule: before.rule, message: before.message } }],
    });
    const after = await findAlert(tx, { facilityId, alertId });
    return {
      result: toAlert(after ?? before),
      audit: { facilityId, objectType: 'census_alert', objectId: alertId, detail: { rule: before.rule } },
      publish: [censusChanged({ facility_id: facilityId, census_date: date, unit_id: unitId })],
    };
  });
}

function toAlert({
  facility_no,
  unit_no,
  raised_at,
  acknowledged_at,
  ...alert
}: NonNullable<Awaited<ReturnType<typeof findAlert>>>): CensusAlert {
  return { ...alert, raised_at: raised_at.toISOString(), acknowledged_at: acknowledged_at?.toISOString() ?? null };
}
