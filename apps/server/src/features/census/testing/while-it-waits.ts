import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';

interface Waiting<Answer> {
  readonly db: Database;
  readonly facilityNo: number;
  readonly act: () => Promise<Answer>;
  /** Committed before the act has its turn. */
  readonly change: (tx: DatabaseTransaction) => Promise<unknown>;
}

/** What an act comes to that waits for the facility while something changes. */
export async function whileItWaits<Answer>({ db, facilityNo, act, change }: Waiting<Answer>): Promise<Answer> {
  const { acted } = await db.transaction().execute(async (tx) => {
    await sql`select from census_log_heads where facility_no = ${facilityNo} for update`.execute(tx);
    const acted = act();
    await untilBlocked(db, acted);
    await change(tx);
    return { acted };
  });
  return acted;
}

/** Splits a permission off at a facility: whoever had it by a role does not have it any more. */
export function splitOff(facilityNo: number, permission: string) {
  return (tx: DatabaseTransaction) =>
    tx
      .updateTable('census_facilities')
      .set({ split_permissions: [permission] })
      .where('facility_no', '=', facilityNo)
      .execute();
}
