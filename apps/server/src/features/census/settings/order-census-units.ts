import type * as contract from '@wardline/contract/census/settings.ts';
import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { changeSettings, differences } from './change-settings.ts';
import { findUnitSettings } from './settings-queries.ts';

type Endpoint = typeof contract.orderCensusUnits;

/** The order in which every list of units stands. Each unit is named once, so that none is lost to somebody else's change. */
export async function orderCensusUnits(
  ctx: RequestContext,
  { params, body }: { params: ParamsOf<Endpoint>; body: BodyOf<Endpoint> },
): Promise<ReplyOf<Endpoint>> {
  const { version, unit_ids: ids } = body;
  return changeSettings(ctx, { facilityId: params.facility, version }, async (tx, place) => {
    const units = await findUnitSettings(tx, place.facility_no);
    const codes = new Map(units.map(({ unit_id, unit_code }) => [unit_id, unit_code]));
    if (ids.length !== units.length || new Set(ids).size !== ids.length || !ids.every((id) => codes.has(id))) {
      throw invalidField('unit_ids', 'Name every unit of the facility once.');
    }
    await sql`
      update units set position = o.place from unnest(${ids}::uuid[]) with ordinality as o(id, place)
      where units.id = o.id and units.facility_id = ${place.facility_id}`.execute(tx);
    const after = { unit_order: ids.map((id) => codes.get(id)) };
    return differences({ unit_order: units.map(({ unit_code }): string | undefined => unit_code) }, after);
  });
}
