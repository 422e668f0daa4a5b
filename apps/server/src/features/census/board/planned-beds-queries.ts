import type { DatedBeds } from '@wardline/census/beds-ahead.ts';
import type { CensusClass } from '@wardline/contract/census.ts';
import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';

/** Staffed beds of a unit and class as the settings plan them. */
export interface PlannedBeds extends DatedBeds {
  readonly unit_no: number;
  readonly class: CensusClass;
}

/** What holds on some day of a range for the units of a facility. */
export async function findPlannedBeds(
  db: Database,
  { facilityNo, from, to }: { facilityNo: number; from: string; to: string },
): Promise<PlannedBeds[]> {
  const found = await sql<PlannedBeds>`
    select b.unit_no, b.class, lower(b.valid) as "from", upper(b.valid) as until, b.staffed
    from census_units u join bed_complements b on b.unit_no = u.unit_no and b.valid && daterange(${from}, ${to}, '[]')
    where u.facility_no = ${facilityNo}`.execute(db);
  return found.rows;
}
