import type { approveUnitDay as endpoint } from '@wardline/contract/census-unit.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { RequestContext } from '#/platform/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { brokenRule } from '../broken-rules.ts';
import type { CensusDeps } from '../deps.ts';
import { settleProposal } from '../feed/settle-proposal.ts';
import { approveReports } from '../policy.ts';
import { restateSigned } from './carry-forward.ts';
import { type Acting, changeUnitDay, type Done } from './change-unit-day.ts';
import { moveTo } from './move-to.ts';
import { updateReport } from './unit-day-queries.ts';

type Endpoint = typeof endpoint;

/** Approves what somebody else handed in; signed days that wait for it are restated. */
export function approveUnitDay(deps: CensusDeps) {
  return (ctx: RequestContext, { params, body }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> =>
    changeUnitDay(ctx, deps, {
      request: { params, body },
      change: { endpoint: 'approveUnitDay', action: 'unit_day.approve', right: approveReports, act: approve },
    });
}

async function approve(at: Acting): Promise<Done> {
  const { tx, facts, actor, now } = at;
  const { report, key, place } = facts;
  const status = moveTo(facts, 'approve');
  if (place.four_eyes && report?.submitted_by === actor.userId) {
    const message = 'You submitted this report. Someone else has to approve it.';
    throw brokenRule({ code: 'SELF_APPROVAL', field: null, message });
  }
  const restated = await restateSigned(at);
  const settled = await settleProposal(at);
  await updateReport(tx, key, {
    change: { status, approved_at: now, approved_by: actor.userId, amend_code: null, amend_reason: null },
    note: { by: actor.userId, reasonCode: report?.amend_code ?? null, reason: report?.amend_reason ?? null },
  });
  const entry = { before: { status: report?.status }, after: { status } };
  return {
    entries: [
      { action: 'unit_day.approve', ...entry, afterApproval: Boolean(report?.amend_code) },
      ...settled,
      ...restated.entries,
    ],
    moved: restated.moved ?? [],
  };
}
