import { absenceOf, isHandedIn } from '@wardline/census/states.ts';
import type { estimateUnitDay as endpoint } from '@wardline/contract/census/unit.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { brokenRule, guardReason } from '#/features/census/core/broken-rules.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { findEstimate, storeEstimate } from '#/features/census/core/estimate-queries.ts';
import { formatDay } from '#/features/census/core/labels.ts';
import { estimateReports } from '#/features/census/core/policy.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { type ActContext, type ActResult, type CheckContext, changeUnitDay, makeDay } from './change-unit-day.ts';
import { guardActive } from './hand-in.ts';
import { conditionsOf } from './unit-day/conditions.ts';

type Endpoint = typeof endpoint;

/**
 * Says how many patients are taken to be in a unit that is missing. It stands beside the unit's report and touches nothing of
 * it: whatever a device has typed meanwhile still fits.
 */
export function estimateUnitDay(deps: CensusDeps) {
  return (ctx: RequestContext, { params, body }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> =>
    changeUnitDay(ctx, deps, {
      request: { params, body },
      change: {
        endpoint: 'estimateUnitDay',
        action: 'unit_day.estimate',
        right: estimateReports,
        check: (at) => checkEstimate(at, body.reason),
        act: (at) => estimate(at, body),
      },
    });
}

function checkEstimate(at: CheckContext, reason: string): void {
  guardActive(at);
  guardMissing(at);
  guardReason(reason);
}

async function estimate(at: ActContext, { census, reason }: InputOf<Endpoint>['body']): Promise<ActResult | null> {
  const { tx, unitDay, actor, now } = at;
  checkEstimate(at, reason);
  const before = unitDay.estimate;
  if (before?.census === census && before.reason === reason) return null;
  await makeDay(tx, unitDay);
  await storeEstimate(tx, unitDay.key, { census, reason, by: actor.userId, at: now });
  return {
    entries: [
      {
        action: 'unit_day.estimate',
        before: before && { estimate: before.census },
        after: { estimate: census },
        reason,
      },
    ],
    update: { report: unitDay.report, estimate: await findEstimate(tx, unitDay.key) },
  };
}

/** Only what is past its deadline and was not there yet: before that the unit is asked, and what was returned is known. */
function guardMissing({ unitDay, now }: CheckContext): void {
  const { report, place, key } = unitDay;
  const status = report?.status ?? null;
  const absence = absenceOf({ status, conditions: conditionsOf(unitDay, now) });
  if (absence === 'missing') return;
  const of = `the report of ${place.unit_code} for ${formatDay(key.date, place)}`;
  if (absence === 'not in yet') {
    const message = `Nothing to estimate: ${of} is not past its deadline.`;
    throw brokenRule({ code: 'NOT_YET_DUE', field: null, message });
  }
  const stands = isHandedIn(status) ? 'is in' : 'was returned';
  throw brokenRule({ code: 'WRONG_STATUS', field: null, message: `Nothing to estimate: ${of} ${stands}.` });
}
