import type { listUnknownStays as endpoint, UnknownStay } from '@wardline/contract/census/feed.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { approveReports, seeSummary } from '#/features/census/core/policy.ts';
import { requireFacilityNow, toFacilityContext } from '#/features/census/core/require-facility.ts';
import { findUnknownStays, type UnknownStayRow } from '#/features/census/hl7/unknown-stays.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { authorize, can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof endpoint;

const USUAL = 20;

/** Those who were moved or discharged and never admitted, for those who compile the facility's days. */
export async function listUnknownStays(
  ctx: RequestContext,
  { params, query }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const place = await requireFacilityNow(ctx, params.facility);
  authorize(ctx.actor, seeSummary, { facilityId: params.facility });
  const { state = 'open', cursor, limit = USUAL } = query;
  const { facility_no: facilityNo, time_zone } = place;
  const page = { facilityNo, state, before: cursor === undefined ? null : idCursor(cursor), limit: limit + 1 };
  const rows = await findUnknownStays(ctx.db, page);
  const shown = rows.slice(0, limit);
  return {
    data: shown.map(toUnknownStay),
    next_cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    may: { decide: can(ctx.actor, approveReports, toFacilityContext(place)) },
    units: await findUnitCodes(ctx.db, facilityNo),
    time_zone,
  };
}

export function toUnknownStay({ unit_no: _, visit_key: __, ...stay }: UnknownStayRow): UnknownStay {
  return stay;
}

const unitCodes = typedRows<{ id: string; code: string }>({ id: 'string', code: 'string' });

function findUnitCodes(db: RequestContext['db'], facilityNo: number) {
  return unitCodes.read(
    db,
    sql`
    select u.unit_id as id, n.code from census_units u join units n on n.id = u.unit_id
    where u.facility_no = ${facilityNo} order by n.position, n.code`,
  );
}
