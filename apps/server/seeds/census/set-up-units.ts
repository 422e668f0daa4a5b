import { addDays } from '@wardline/census/calendar.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { idOf, type PersonKey } from '../people.ts';
import type { CensusPlan, Ward } from './unit-plans.ts';

/** A unit of the census as the database knows it. */
export interface SeededUnit {
  readonly unitNo: number;
  readonly unitId: string;
  readonly unitCode: string;
}

/** Tells the census what each unit reports, with which beds and by whom. */
export async function setUpUnits(
  tx: DatabaseTransaction,
  {
    facilityNo,
    plan,
    newest,
    ids,
  }: { facilityNo: number; plan: CensusPlan; newest: string; ids: ReadonlyMap<PersonKey, string> },
): Promise<ReadonlyMap<Ward, SeededUnit>> {
  const found = await sql<SeededUnit>`
    select u.unit_no as "unitNo", u.unit_id as "unitId", n.code as "unitCode"
    from census_units u join units n on n.id = u.unit_id where u.facility_no = ${facilityNo}`.execute(tx);
  const units = new Map<Ward, SeededUnit>();
  for (const ward of plan.wards) {
    const unit = found.rows.find(({ unitCode }) => unitCode === ward.code);
    if (!unit) throw new Error(`${ward.code} is no unit`);
    units.set(ward, unit);
    await tx
      .updateTable('census_units')
      .set({ populations: [ward.population], counts_in_occupancy: !ward.isBoarders, safr_group: ward.safrGroup })
      .where('unit_no', '=', unit.unitNo)
      .execute();
    const people = new Set([ward.reporter, ...(plan.everywhere ? [plan.everywhere] : [])]);
    const assigned = [...people].map((key) => ({ unit_no: unit.unitNo, user_id: idOf(ids, key) }));
    await tx.insertInto('census_assignments').values(assigned).execute();
    await insertBeds(tx, { facilityNo, unitNo: unit.unitNo, ward, newest });
  }
  if (plan.wards.some(({ stayDays }) => stayDays !== undefined)) {
    const asks = tx.updateTable('census_facilities').set({ asks_discharge_days: true });
    await asks.where('facility_no', '=', facilityNo).execute();
  }
  return units;
}

async function insertBeds(
  tx: DatabaseTransaction,
  { facilityNo, unitNo, ward, newest }: { facilityNo: number; unitNo: number; ward: Ward; newest: string },
): Promise<void> {
  for (const [index, plan] of ward.beds.entries()) {
    const next = ward.beds[index + 1];
    const from = index === 0 ? null : addDays(newest, -plan.daysBack);
    const to = next ? addDays(newest, -next.daysBack) : null;
    await sql`
      insert into bed_complements (facility_no, unit_no, population, valid, licensed, physical, staffed, surge, reason)
      values (${facilityNo}, ${unitNo}, ${ward.population}, daterange(${from}::date, ${to}::date), ${plan.licensed},
        ${plan.physical}, ${plan.staffed}, ${plan.surge ?? 0}, ${plan.reason ?? null})`.execute(tx);
  }
}
