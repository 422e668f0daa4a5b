import type { UnitDayStatus } from '@wardline/contract/census/census.ts';
import type { withdrawUnitDay as endpoint } from '@wardline/contract/census/unit.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { brokenRule } from '#/features/census/core/broken-rules.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { reportUnit } from '#/features/census/core/policy.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { type ActContext, type ActResult, type CheckContext, changeUnitDay, transition } from './change-unit-day.ts';
import { type Report, updateReport } from './unit-day/unit-day-queries.ts';

type Endpoint = typeof endpoint;

/** Takes one's own report back, as long as nobody who may approve has looked at it. */
export function withdrawUnitDay(deps: CensusDeps) {
  return (ctx: RequestContext, { params, body }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> =>
    changeUnitDay(ctx, deps, {
      request: { params, body },
      change: {
        endpoint: 'withdrawUnitDay',
        action: 'unit_day.withdraw',
        right: reportUnit,
        check: (at) => void checkWithdrawal(at),
        act: withdraw,
      },
    });
}

/** The report as it can be taken back, and the state that it then has. */
function checkWithdrawal({ unitDay, actor }: CheckContext): { report: Report; status: UnitDayStatus } {
  const { report } = unitDay;
  const next = transition(unitDay, 'withdraw');
  if (report?.submitted_by !== actor.userId) throw new AppError('forbidden');
  if (report.reviewed_at !== null) {
    const message = 'The report is being reviewed. Ask the reviewer to return it.';
    throw brokenRule({ code: 'WRONG_STATUS', field: null, message });
  }
  // A correction that is taken back is still a correction.
  return { report, status: report.amend_code === null ? next : 'amending' };
}

async function withdraw(at: ActContext): Promise<ActResult> {
  const { tx, unitDay, actor } = at;
  const { report, status } = checkWithdrawal(at);
  const note = { by: actor.userId, reasonCode: report.amend_code, reason: report.amend_reason };
  await updateReport(tx, unitDay.key, { change: { status }, note });
  const entry = { before: { status: report.status }, after: { status } };
  return { entries: [{ action: 'unit_day.withdraw', ...entry, afterApproval: report.amend_code !== null }] };
}
