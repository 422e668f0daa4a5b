import type { dismissProposal as endpoint } from '@wardline/contract/census/proposals.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { appendAfter, lockHead, loggedUnit, type NewLogEntry } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { brokenRule, guardReason } from '#/features/census/core/broken-rules.ts';
import { censusChanged } from '#/features/census/core/change-events.ts';
import { withRefusalLogging } from '#/features/census/core/log-refusal.ts';
import { approveReports } from '#/features/census/core/policy.ts';
import { isKnownRepeat, isRepeat } from '#/features/census/core/request-once.ts';
import {
  dateOfNow,
  requireFacilityAgain,
  requireFacilityNow,
  toFacilityContext,
} from '#/features/census/core/require-facility.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { toProposal } from './list-proposals.ts';
import { closeProposal, findProposal, type ProposalRow } from './proposal-queries.ts';
import { proposalValues } from './proposal-values.ts';

type Endpoint = typeof endpoint;

/** Leaves a signed report as it is, in somebody's words. */
export async function dismissProposal(
  ctx: RequestContext,
  { params, body }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { facility: facilityId, proposal: id } = params;
  const place = await requireFacilityNow(ctx, facilityId);
  const { facility_no: facilityNo } = place;
  const asked = await findProposal(ctx.db, { facilityNo, id });
  const entry = { action: 'proposal.dismiss', ...(asked && placeOf(asked)) } as const;
  return withRefusalLogging(ctx, { facilityNo, facilityId, entry }, async () => {
    authorize(ctx.actor, approveReports, toFacilityContext(place));
    if (!asked) throw new AppError('not_found');
    const request = { userId: ctx.actor.userId, endpoint: 'dismissProposal', params, body };
    // Nobody waits for a refusal: asked before the facility is held, and again under the lock.
    if (!(await isKnownRepeat(ctx.db, request))) guardDismissal(asked, body);
    return ctx.write('census.proposal.dismiss', async (tx) => {
      const head = await lockHead(tx, facilityNo);
      await requireFacilityAgain({ tx, actor: ctx.actor }, { facilityId, date: dateOfNow() }, approveReports);
      const stored = await findProposal(tx, { facilityNo, id });
      if (!stored) throw new AppError('not_found');
      if (await isRepeat(tx, request)) return { result: toProposal(stored), audit: null };
      guardDismissal(stored, body);
      const result = await dismiss(tx, { stored, facilityNo, by: ctx.actor.userId, reason: body.reason });
      await appendAfter(tx, head, {
        facilityNo,
        author: authorOf(ctx, facilityId),
        entries: [dismissedEntry(stored, body.reason)],
      });
      const { census_date: date, unit_id: unitId } = stored;
      return {
        result,
        audit: { facilityId, objectType: 'census_proposal', objectId: id, detail: { date, unit: unitId } },
        publish: censusChanged(facilityId, [{ dates: [date], unitId }]),
      };
    });
  });
}

function guardDismissal(stored: ProposalRow, { version, reason }: InputOf<Endpoint>['body']): void {
  guardOpen(stored, version);
  guardReason(reason);
}

function guardOpen({ state, version }: ProposalRow, asked: number): void {
  if (state !== 'open') {
    throw brokenRule({ code: 'WRONG_STATUS', field: null, message: 'This proposed correction is closed already.' });
  }
  if (version === asked) return;
  const message = 'The patient system has said something else since. Look at it again.';
  throw brokenRule({ code: 'VERSION_CONFLICT', field: 'version', message }, 'conflict');
}

interface Dismissal {
  readonly stored: ProposalRow;
  readonly facilityNo: number;
  readonly by: string;
  readonly reason: string;
}

async function dismiss(tx: Transaction, { stored, facilityNo, by, reason }: Dismissal) {
  await closeProposal(tx, { id: stored.id, state: 'dismissed', by, reason });
  const closed = await findProposal(tx, { facilityNo, id: stored.id });
  return toProposal(closed ?? stored);
}

function dismissedEntry(stored: ProposalRow, reason: string): NewLogEntry {
  const { signed: before, told: after } = proposalValues(stored.counts);
  return { action: 'proposal.dismiss', ...placeOf(stored), before, after, reason };
}

function placeOf(row: ProposalRow) {
  return { unit: loggedUnit(row), date: row.census_date, population: row.population };
}
