import type * as contract from '@wardline/contract/census/settings.ts';
import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { counted } from '@wardline/format/counts.ts';
import { formatList } from '@wardline/format/names.ts';
import { sql } from 'kysely';
import { loggedUnit } from '#/features/census/core/append-log.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { changeSettings } from './change-settings.ts';
import { findUnitSettings, type UnitSettings } from './settings-queries.ts';
import { refreshOpenDays } from './units.ts';

type Endpoint = typeof contract.deleteCensusUnit;

/**
 * Deletes a unit that was added by mistake: nothing was ever done with it. What was set for it goes with it. No signed day waited
 * for it, or it would have reported.
 */
export async function deleteCensusUnit(
  ctx: RequestContext,
  { params, body }: { params: ParamsOf<Endpoint>; body: BodyOf<Endpoint> },
): Promise<ReplyOf<Endpoint>> {
  return changeSettings(ctx, { facilityId: params.facility, version: body.version }, async (tx, place) => {
    const unit = (await findUnitSettings(tx, place.facility_no)).find(({ unit_id }) => unit_id === params.unit);
    if (!unit) throw new AppError('not_found');
    // Nothing begins to refer to it meanwhile.
    await tx.selectFrom('units').select('id').where('id', '=', unit.unit_id).forUpdate().execute();
    await tx.selectFrom('census_units').select('unit_no').where('unit_no', '=', unit.unit_no).forUpdate().execute();
    await mustBeUnused(tx, unit);
    await removeUnit(tx, unit, place);
    await refreshOpenDays(tx, place.facility_no);
    const { unit_code, unit_name, unit_kind } = unit;
    return {
      before: { unit_code, unit_name, unit_kind },
      after: { unit_code: null, unit_name: null, unit_kind: null },
      unit: loggedUnit(unit),
    };
  });
}

/** What keeps a unit, in the order in which it is told: one and several of it, and how many there are. */
const KEEPING = [
  ['report', 'reports', (no: number) => sql`select from unit_census where unit_no = ${no}`],
  ['transfer', 'transfers', (no: number) => sql`select from unit_transfers where from_unit = ${no} or to_unit = ${no}`],
  ['snapshot', 'snapshots', (no: number) => sql`select from census_snapshots where unit_no = ${no}`],
  ['estimate', 'estimates', (no: number) => sql`select from census_estimates where unit_no = ${no}`],
  [
    'month of nursing hours',
    'months of nursing hours',
    (no: number) => sql`select from nursing_hours where unit_no = ${no}`,
  ],
  ['discussion', 'discussions', (no: number) => sql`select from census_discussions where unit_no = ${no}`],
  [
    'alert',
    'alerts',
    (no: number) => sql`
    select from census_alerts where unit_no = ${no} and (rule <> 'report_missing' or acknowledged_at is not null)`,
  ],
  [
    'message of the patient system',
    'messages of the patient system',
    (no: number) => sql`
    select from adt_events where unit_no = ${no} union all select from adt_beds where unit_no = ${no}`,
  ],
  [
    'stay',
    'stays',
    (no: number) => sql`
    select from adt_stays where unit_no = ${no}
    union all select from adt_movements where unit_no = ${no} or partner_unit_no = ${no}
    union all select from adt_unknown_stays where unit_no = ${no} or to_unit_no = ${no}`,
  ],
  [
    'critical result',
    'critical results',
    (_: number, id: string) => sql`select from critical_alerts where unit_id = ${id}`,
  ],
  ['on-call role', 'on-call roles', (_: number, id: string) => sql`select from on_call_roles where unit_id = ${id}`],
] as const;

async function mustBeUnused(tx: DatabaseTransaction, { unit_no, unit_id, unit_code }: UnitSettings): Promise<void> {
  const counts = KEEPING.map(([, , rows]) => sql`(select count(*)::integer from (${rows(unit_no, unit_id)}) as found)`);
  const found = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(tx);
  const kept = KEEPING.flatMap(([one, many], place) => {
    const count = found.rows[0]?.counts[place] ?? 0;
    return count === 0 ? [] : [counted(count, one, many)];
  });
  if (kept.length > 0)
    throw invalidField('unit', `${unit_code} has ${formatList(kept)}, so it stays. Set its last day instead.`);
}

/** Its settings, what the clock wrote of it, and the unit; which unit the log tells of is kept. */
async function removeUnit(tx: DatabaseTransaction, unit: UnitSettings, place: FacilityConfig): Promise<void> {
  const { unit_no, unit_id, unit_code: code, unit_name: name } = unit;
  for (const table of [
    'census_assignments',
    'bed_complements',
    'census_notices',
    'census_alerts',
    'unit_months',
  ] as const) {
    await tx.deleteFrom(table).where('unit_no', '=', unit_no).execute();
  }
  await tx.deleteFrom('census_units').where('unit_no', '=', unit_no).execute();
  await tx.deleteFrom('units').where('id', '=', unit_id).execute();
  const deleted = { unit_no, facility_no: place.facility_no, unit_id, code, name };
  await tx.insertInto('deleted_units').values(deleted).execute();
}
