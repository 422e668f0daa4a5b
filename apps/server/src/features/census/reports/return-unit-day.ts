import type { UnitDayStatus } from '@wardline/contract/census/census.ts';
import type { returnUnitDay as endpoint } from '@wardline/contract/census/unit.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { guardReason } from '#/features/census/core/broken-rules.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { approveReports } from '#/features/census/core/policy.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { type ActContext, type ActResult, type CheckContext, changeUnitDay, transition } from './change-unit-day.ts';
import { sayInDiscussion } from './hand-in.ts';
import { updateReport } from './unit-day/unit-day-queries.ts';

type Endpoint = typeof endpoint;

/** Gives a report back with the reason, and says it to the unit's people. */
export function returnUnitDay(deps: CensusDeps) {
  return (ctx: RequestContext, { params, body }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> =>
    changeUnitDay(ctx, deps, {
      request: { params, body },
      change: {
        endpoint: 'returnUnitDay',
        action: 'unit_day.return',
        right: approveReports,
        check: (at) => void checkReturn(at, body.reason),
        act: (at) => giveBack(at, body.reason),
      },
    });
}

/** The state that it leads to. */
function checkReturn({ unitDay }: CheckContext, reason: string): UnitDayStatus {
  const status = transition(unitDay, 'return');
  guardReason(reason);
  return status;
}

async function giveBack(at: ActContext, reason: string): Promise<ActResult> {
  const { tx, unitDay, actor } = at;
  const { report, key } = unitDay;
  const status = checkReturn(at, reason);
  await updateReport(tx, key, {
    change: { status, last_reason: reason },
    note: { by: actor.userId, reasonCode: null, reason },
  });
  const { chatId, publish } = await sayInDiscussion(at, { body: `returned the report: ${reason}`, partners: [] });
  return {
    entries: [
      {
        action: 'unit_day.return',
        before: { status: report?.status },
        after: { status },
        afterApproval: Boolean(report?.amend_code),
        reason,
      },
    ],
    update: { discussionChatId: chatId },
    publish,
  };
}
