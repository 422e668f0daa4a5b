import type { withdrawEstimate as endpoint } from '@wardline/contract/census/unit.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { removeEstimate } from '#/features/census/core/estimate-queries.ts';
import { estimateReports } from '#/features/census/core/policy.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { type ActContext, type ActResult, changeUnitDay } from './change-unit-day.ts';

type Endpoint = typeof endpoint;

/** Takes an estimate back; where there is none, nothing is to be done. */
export function withdrawEstimate(deps: CensusDeps) {
  return (ctx: RequestContext, { params, body }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> =>
    changeUnitDay(ctx, deps, {
      request: { params, body },
      change: {
        endpoint: 'withdrawEstimate',
        action: 'unit_day.estimate_withdraw',
        right: estimateReports,
        check: () => undefined,
        act: takeBack,
      },
    });
}

async function takeBack({ tx, unitDay }: ActContext): Promise<ActResult | null> {
  const census = await removeEstimate(tx, unitDay.key);
  if (census === null) return null;
  return {
    entries: [{ action: 'unit_day.estimate_withdraw', before: { estimate: census }, after: { estimate: null } }],
    update: { report: unitDay.report, estimate: null },
  };
}
