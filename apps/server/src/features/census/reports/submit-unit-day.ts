import { toCounts } from '@wardline/census/balance.ts';
import { submitFindings } from '@wardline/census/rules.ts';
import type { submitUnitDay as endpoint } from '@wardline/contract/census/unit.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { brokenRules } from '#/features/census/core/broken-rules.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { reportUnit } from '#/features/census/core/policy.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { type ActContext, type ActResult, type CheckContext, changeUnitDay, transition } from './change-unit-day.ts';
import { afterHandIn, clockFindings, guardActive, handedIn } from './hand-in.ts';
import { findReport, type Report, updateReport } from './unit-day/unit-day-queries.ts';
import { bedsOf } from './unit-day/unit-day-state.ts';

type Endpoint = typeof endpoint;

/** Hands in what is saved. */
export function submitUnitDay(deps: CensusDeps) {
  return (ctx: RequestContext, { params, body }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> =>
    changeUnitDay(ctx, deps, {
      request: { params, body },
      change: {
        endpoint: 'submitUnitDay',
        action: 'unit_day.submit',
        right: reportUnit,
        check: (at) => void checkSubmit(at),
        act: submit,
      },
    });
}

/** The report as it can be handed in. */
function checkSubmit(at: CheckContext): { report: Report; opening: number | null } {
  const { report, link } = at.unitDay;
  guardActive(at);
  transition(at.unitDay, 'submit');
  const opening = link ? link.closing : (report?.opening ?? null);
  const findings = [...clockFindings(at), ...savedFindings(at, report, opening)];
  if (findings.length > 0 || !report) throw brokenRules(findings);
  return { report, opening };
}

async function submit(at: ActContext): Promise<ActResult> {
  const { tx, unitDay, actor } = at;
  const { link, key } = unitDay;
  const { report, opening } = checkSubmit(at);
  await updateReport(tx, key, {
    change: { ...handedIn(at), opening, opening_from: link?.census_date ?? null },
    note: { by: actor.userId, reasonCode: report.amend_code, reason: report.amend_reason },
  });
  const stored = await findReport(tx, key);
  if (!stored) throw new Error('a report is gone');
  return afterHandIn(at, { report: stored, transfers: unitDay.transfers });
}

/** The rules, asked of what is stored and of the opening that holds now. A report that is not begun lacks everything. */
function savedFindings({ unitDay }: CheckContext, report: Report | null, opening: number | null) {
  const { place, key, link, transfers } = unitDay;
  const counts = toCounts(report);
  return submitFindings({
    unit_id: place.unit_id,
    population: key.population,
    opening,
    previous_closing: link?.closing ?? null,
    counts,
    transfers: transfers.flatMap(({ unit_id, direction, mine }) =>
      mine === null ? [] : [{ unit_id, direction, count: mine }],
    ),
    beds: bedsOf(unitDay),
    variance_reason: report?.variance_reason ?? null,
    variance_for: report?.variance_for ?? null,
    capacity_reason: report?.capacity_reason ?? null,
    is_last_day: place.is_last_day,
  });
}
