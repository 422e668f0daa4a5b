import type { withdrawUnitDay as endpoint } from '@wardline/contract/census-unit.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { brokenRule } from '#/features/census/core/broken-rules.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { reportUnit } from '#/features/census/core/policy.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { type ActContext, type ActResult, changeUnitDay, transition } from './change-unit-day.ts';
import { updateReport } from './unit-day-queries.ts';

type Endpoint = typeof endpoint;

/** Takes one's own report back, as long as nobody who may approve has looked at it. */
export function withdrawUnitDay(deps: CensusDeps) {
  return (ctx: RequestContext, { params, body }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> =>
    changeUnitDay(ctx, deps, {
      request: { params, body },
      change: { endpoint: 'withdrawUnitDay', action: 'unit_day.withdraw', right: reportUnit, act: withdraw },
    });
}

async function withdraw({ tx, unitDay, actor }: ActContext): Promise<ActResult> {
  const { report, key } = unitDay;
  const next = transition(unitDay, 'withdraw');
  if (report?.submitted_by !== actor.userId) throw new AppError('forbidden');
  if (report.reviewed_at !== null) {
    const message = 'The report is being reviewed. Ask the reviewer to return it.';
    throw brokenRule({ code: 'WRONG_STATUS', field: null, message });
  }
  // A correction that is taken back is still a correction.
  const status = report.amend_code === null ? next : 'amending';
  const note = { by: actor.userId, reasonCode: report.amend_code, reason: report.amend_reason };
  await updateReport(tx, key, { change: { status }, note });
  const entry = { before: { status: report.status }, after: { status } };
  return { entries: [{ action: 'unit_day.withdraw', ...entry, afterApproval: report.amend_code !== null }] };
}
