import type { UnitDayStatus } from '@wardline/contract/census/census.ts';
import type * as contract from '@wardline/contract/census/unit.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { guardReason } from '#/features/census/core/broken-rules.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { approveReports, reopenDays } from '#/features/census/core/policy.ts';
import { unitSubject } from '#/features/census/core/require-unit.ts';
import { action, authorize, can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { type ActContext, type ActResult, type CheckContext, changeUnitDay, transition } from './change-unit-day.ts';
import { updateReport } from './unit-day/unit-day-queries.ts';

type Endpoint = typeof contract.amendUnitDay;
type Body = InputOf<Endpoint>['body'];

/** Which of the two rights it takes hangs on whether the report is locked. */
const amendReports = action<ReturnType<typeof unitSubject>>(
  'census.amend',
  (actor, unit) => can(actor, approveReports, unit) || can(actor, reopenDays, unit),
);

/** Opens an approved or locked report for a correction. What it said is kept, the reason goes with all that follows. */
export function amendUnitDay(deps: CensusDeps) {
  return (ctx: RequestContext, { params, body }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> =>
    changeUnitDay(ctx, deps, {
      request: { params, body },
      change: {
        endpoint: 'amendUnitDay',
        action: 'unit_day.amend',
        right: amendReports,
        check: (at) => void checkAmendment(at, body.reason),
        act: (at) => amend(at, body),
      },
    });
}

/** The state that it leads to. */
function checkAmendment({ unitDay, actor }: CheckContext, reason: string): UnitDayStatus {
  const { report, place } = unitDay;
  authorize(actor, report?.status === 'locked' ? reopenDays : approveReports, unitSubject(place));
  const status = transition(unitDay, 'amend');
  guardReason(reason);
  return status;
}

async function amend(at: ActContext, { reason_code, reason }: Body): Promise<ActResult> {
  const { tx, unitDay, actor } = at;
  const { report, key } = unitDay;
  const status = checkAmendment(at, reason);
  await updateReport(tx, key, {
    change: {
      status,
      last_reason: reason,
      amend_code: reason_code,
      amend_reason: reason,
      approved_at: null,
      approved_by: null,
      reviewed_at: null,
    },
    note: { by: actor.userId, reasonCode: reason_code, reason },
  });
  const entry = { before: { status: report?.status }, after: { status }, reasonCode: reason_code, reason };
  return { entries: [{ action: 'unit_day.amend', ...entry, afterApproval: true }] };
}
