import type { listProposals as endpoint, Proposal } from '@wardline/contract/census/proposals.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { approveReports, reopenDays, seeSummary } from '#/features/census/core/policy.ts';
import { requireFacilityNow, toFacilityContext } from '#/features/census/core/require-facility.ts';
import { authorize, can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { findProposals, type ProposalRow } from './proposal-queries.ts';

type Endpoint = typeof endpoint;

const USUAL = 20;

/** The proposed corrections of a facility, for those who compile its days. */
export async function listProposals(
  ctx: RequestContext,
  { params, query }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const place = await requireFacilityNow(ctx, params.facility);
  authorize(ctx.actor, seeSummary, { facilityId: params.facility });
  const { state = 'open', cursor, limit = USUAL } = query;
  const before = cursor === undefined ? null : idCursor(cursor);
  const page = { facilityNo: place.facility_no, state, before, limit: limit + 1 };
  const rows = await findProposals(ctx.db, page);
  const shown = rows.slice(0, limit);
  return {
    data: shown.map(toProposal),
    next_cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    may: {
      correct: can(ctx.actor, reopenDays, toFacilityContext(place)),
      dismiss: can(ctx.actor, approveReports, toFacilityContext(place)),
    },
  };
}

export function toProposal({ unit_no: _, ...proposal }: ProposalRow): Proposal {
  return proposal;
}
