import type { UnitDayStatus } from '@wardline/contract/census/census.ts';
import type { approveUnitDay as endpoint } from '@wardline/contract/census/unit.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { brokenRule } from '#/features/census/core/broken-rules.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { approveReports } from '#/features/census/core/policy.ts';
import { closeProposal, findOpenProposal } from '#/features/census/hl7/proposal-queries.ts';
import { proposalValues } from '#/features/census/hl7/proposal-values.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { restateSigned } from './carry-forward.ts';
import { type ActContext, type ActResult, type CheckContext, changeUnitDay, transition } from './change-unit-day.ts';
import { updateReport } from './unit-day/unit-day-queries.ts';

type Endpoint = typeof endpoint;

/** Approves what somebody else handed in; signed days that wait for it are restated. */
export function approveUnitDay(deps: CensusDeps) {
  return (ctx: RequestContext, { params, body }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> =>
    changeUnitDay(ctx, deps, {
      request: { params, body },
      change: {
        endpoint: 'approveUnitDay',
        action: 'unit_day.approve',
        right: approveReports,
        check: (at) => void checkApproval(at),
        act: approve,
      },
    });
}

/** The state that it leads to. */
function checkApproval({ unitDay, actor }: CheckContext): UnitDayStatus {
  const { report, place } = unitDay;
  const status = transition(unitDay, 'approve');
  if (place.four_eyes && report?.submitted_by === actor.userId) {
    const message = 'You submitted this report. Someone else has to approve it.';
    throw brokenRule({ code: 'SELF_APPROVAL', field: null, message });
  }
  return status;
}

async function approve(at: ActContext): Promise<ActResult> {
  const { tx, unitDay, actor, now } = at;
  const { report, key } = unitDay;
  const status = checkApproval(at);
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
    ...(settled.length > 0 && { update: { proposal: null } }),
    moved: restated.moved ?? [],
  };
}

/**
 * A correction that is approved answers what was proposed: it took it, or it found something else, and then its own words say
 * why.
 */
async function settleProposal({ tx, unitDay, actor }: ActContext): Promise<ActResult['entries']> {
  const { report, key } = unitDay;
  if (!report?.amend_code) return [];
  const open = await findOpenProposal(tx, key);
  if (!open) return [];
  const { signed: before, told: after } = proposalValues(open.counts);
  if (open.counts.every(({ field, told }) => report[field] === told)) {
    await closeProposal(tx, { id: open.id, state: 'taken', by: actor.userId, reason: null });
    return [{ action: 'proposal.take', before, after, afterApproval: true }];
  }
  const reason = report.amend_reason;
  await closeProposal(tx, { id: open.id, state: 'dismissed', by: actor.userId, reason });
  return [{ action: 'proposal.dismiss', before, after, reason }];
}
