import type * as contract from '@wardline/contract/census/day.ts';
import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { brokenRule } from '#/features/census/core/broken-rules.ts';
import { formatDay } from '#/features/census/core/labels.ts';
import { signDay } from '#/features/census/core/policy.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { type CheckedDay, changeDay } from './change-day.ts';
import { lockDay } from './lock-day.ts';

type Endpoint = typeof contract.lockFacilityDay;

export async function lockFacilityDay(
  ctx: RequestContext,
  { params, body }: { params: ParamsOf<Endpoint>; body: BodyOf<Endpoint> },
): Promise<ReplyOf<Endpoint>> {
  const act = { action: 'facility_day.lock', wanted: signDay, params, body, check: mustBeSigned } as const;
  return changeDay(ctx, act, async (held) => {
    mustBeSigned(held);
    const { tx, place, date, now } = held;
    await lockDay(tx, { facilityNo: place.facility_no, date }, { author: authorOf(ctx, place.facility_id), at: now });
    return { detail: {}, hasLockedReports: true };
  });
}

function mustBeSigned({ day, date, place }: CheckedDay): void {
  if (day.status === 'approved') return;
  const message =
    day.status === 'locked'
      ? `${formatDay(date, place)} is locked already.`
      : `${formatDay(date, place)} is not signed yet.`;
  throw brokenRule({ code: 'WRONG_STATUS', field: null, message });
}
