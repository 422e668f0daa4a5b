import { sql } from 'kysely';
import { loggedUnit } from '#/features/census/core/append-log.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import type { Transaction } from '#/platform/http/context.ts';
import { newId } from '#/platform/new-id.ts';
import { differences, type SettingsChange } from './change-settings.ts';
import { findReported, findUnitSettings, type UnitSettings } from './settings-queries.ts';

/** What a unit is called. */
export interface UnitNames {
  readonly unit_code: string;
  readonly unit_name: string;
  readonly unit_kind: string;
}

/** What of them is given: the rest stays. */
type GivenNames = { readonly [Name in keyof UnitNames]?: UnitNames[Name] | undefined };

/** Adds a unit at the end of the order; by a trigger it reports from the census date under way on. */
export async function addUnit(tx: Transaction, place: FacilityConfig, names: UnitNames): Promise<SettingsChange> {
  const units = await findUnitSettings(tx, place.facility_no);
  mustBeFree(units, names.unit_code, null);
  const id = newId();
  const { facility_id } = place;
  await sql`
    insert into units (id, facility_id, code, name, kind, position)
    select ${id}, ${facility_id}, ${names.unit_code}, ${names.unit_name}, ${names.unit_kind}, coalesce(max(position), 0) + 1
    from units where facility_id = ${facility_id}`.execute(tx);
  await refreshOpenDays(tx, place.facility_no);
  const made = (await findUnitSettings(tx, place.facility_no)).find(({ unit_id }) => unit_id === id);
  return { before: {}, after: { ...names }, ...(made && { unit: loggedUnit(made) }) };
}

/** Calls a unit otherwise. Its code is in files and in the log: it stays once the unit has reported. */
export async function renameUnit(
  tx: Transaction,
  place: FacilityConfig,
  { unit, names }: { unit: UnitSettings; names: GivenNames },
): Promise<SettingsChange> {
  const { unit_code, unit_name, unit_kind = '' } = unit;
  const standing: UnitNames = { unit_code, unit_name, unit_kind };
  const given = Object.entries(names).filter(([, name]) => name !== undefined);
  const changed = differences(standing, { ...standing, ...Object.fromEntries(given) });
  if (Object.keys(changed.after).length === 0) return changed;
  if (changed.after.unit_code !== undefined) {
    mustBeFree(await findUnitSettings(tx, place.facility_no), changed.after.unit_code, unit.unit_id);
    if ((await findReported(tx, unit.unit_no)).length > 0) {
      throw invalidField('unit_code', 'The unit has reported under this code, so it stays.');
    }
  }
  const { unit_code: code, unit_name: name, unit_kind: kind } = { ...standing, ...changed.after };
  await tx.updateTable('units').set({ code, name, kind }).where('id', '=', unit.unit_id).execute();
  return changed;
}

/** Whatever the case: people would take ICU and Icu for one. */
function mustBeFree(units: readonly UnitSettings[], code: string, own: string | null): void {
  const same = units.find(
    ({ unit_code, unit_id }) => unit_id !== own && unit_code.toLowerCase() === code.toLowerCase(),
  );
  if (same) throw invalidField('unit_code', `${same.unit_name} has this code already.`);
}

/** The days that are not signed expect what the units are now. */
export async function refreshOpenDays(tx: DatabaseTransaction, facilityNo: number): Promise<void> {
  await sql`
    select refresh_facility_days(facility_no, census_date, census_date) from facility_days
    where facility_no = ${facilityNo} and status in ('open', 'reopened')`.execute(tx);
}
