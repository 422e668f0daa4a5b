import type { Snapshot } from '@wardline/contract/census-unit.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { newId } from '#/platform/new-id.ts';
import type { UnitDayKey } from './unit-day-queries.ts';

interface NewSnapshot extends Pick<Snapshot, 'occupied' | 'blocked' | 'staffed'> {
  readonly takenAt: Date;
  readonly takenBy: string;
}

export async function insertSnapshot(tx: DatabaseTransaction, key: UnitDayKey, taken: NewSnapshot): Promise<void> {
  await tx
    .insertInto('census_snapshots')
    .values({
      id: newId(),
      facility_no: key.facilityNo,
      unit_no: key.unitNo,
      class: key.class,
      taken_at: taken.takenAt,
      occupied: taken.occupied,
      blocked: taken.blocked,
      staffed: taken.staffed,
      taken_by: taken.takenBy,
    })
    .execute();
}

interface SnapshotRow extends Omit<Snapshot, 'unit_id' | 'taken_at' | 'taken_by'> {
  readonly taken_at: Date;
  readonly taken_by: string;
  readonly taken_by_name: string;
}

/** The last count that this person stored of the unit for this instant. */
export async function findSnapshot(
  tx: DatabaseTransaction,
  key: UnitDayKey,
  { takenAt, takenBy }: Pick<NewSnapshot, 'takenAt' | 'takenBy'>,
): Promise<SnapshotRow | undefined> {
  const found = await sql<SnapshotRow>`
    select s.id, s.class, s.taken_at, s.occupied, s.blocked, s.staffed, s.taken_by, u.name as taken_by_name
    from census_snapshots s join users u on u.id = s.taken_by
    where s.unit_no = ${key.unitNo} and s.class = ${key.class} and s.taken_at = ${takenAt} and s.taken_by = ${takenBy}
    order by s.id desc limit 1`.execute(tx);
  return found.rows[0];
}
