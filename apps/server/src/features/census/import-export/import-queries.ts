import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';

/** The facility's units: code → id. */
export async function findUnitIds(tx: DatabaseTransaction, facilityNo: number): Promise<Map<string, string>> {
  const found = await sql<{ code: string; unit_id: string }>`
    select n.code, u.unit_id from census_units u join units n on n.id = u.unit_id
    where u.facility_no = ${facilityNo}`.execute(tx);
  return new Map(found.rows.map(({ code, unit_id }) => [code, unit_id]));
}

/** From here on the transaction can be taken back by {@link rollBackTo}. */
export async function setSavepoint(tx: DatabaseTransaction): Promise<void> {
  await sql`savepoint import_line`.execute(tx);
}

export async function rollBackTo(tx: DatabaseTransaction): Promise<void> {
  await sql`rollback to savepoint import_line`.execute(tx);
}
