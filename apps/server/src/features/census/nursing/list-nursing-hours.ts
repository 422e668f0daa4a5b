import type { listNursingHours as endpoint } from '@wardline/contract/census/nursing.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { listNursingHours as mayList, seeSummary } from '#/features/census/core/policy.ts';
import { requireFacilityFor } from '#/features/census/core/require-facility.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { firstDayOf } from './month-days.ts';
import { findNursingMonths } from './nursing-queries.ts';
import { toNursingMonth } from './serialize-nursing-month.ts';

/** The hours of a month: of all units for who compiles the facility, of one's own for who reports for some. */
export async function listNursingHours(
  ctx: RequestContext,
  { params: { facility, month } }: InputOf<typeof endpoint>,
): Promise<ReplyOf<typeof endpoint>> {
  const first = firstDayOf(month);
  const place = await requireFacilityFor(ctx, { facilityId: facility, date: first }, mayList);
  const assignedTo = can(ctx.actor, seeSummary, { facilityId: facility }) ? null : ctx.actor.userId;
  const rows = await findNursingMonths(ctx.db, { facilityNo: place.facility_no, first, last: first, assignedTo });
  return { facility_id: facility, month, units: rows.map(toNursingMonth) };
}
