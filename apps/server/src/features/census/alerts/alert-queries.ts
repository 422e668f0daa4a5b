import type { CensusAlert } from '@wardline/contract/census/board.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';

interface AlertKey {
  readonly facilityId: string;
  readonly alertId: string;
}

export interface AlertRow extends Omit<CensusAlert, 'raised_at' | 'acknowledged_at' | 'cleared_at'> {
  readonly facility_no: number;
  readonly unit_no: number | null;
  readonly raised_at: Date;
  readonly acknowledged_at: Date | null;
  readonly cleared_at: Date | null;
}

export async function findAlert(
  db: Database | DatabaseTransaction,
  { facilityId, alertId }: AlertKey,
): Promise<AlertRow | undefined> {
  const found = await sql<AlertRow>`
    select a.id, a.facility_no, a.unit_no, a.population, a.rule, u.unit_id, n.code as unit_code, a.census_date, a.message,
      a.raised_at, a.acknowledged_at, a.cleared_at,
      case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end as acknowledged_by
    from census_alerts a
    join census_facilities c on c.facility_no = a.facility_no and c.facility_id = ${facilityId}
    left join census_units u on u.unit_no = a.unit_no left join units n on n.id = u.unit_id
    left join users p on p.id = a.acknowledged_by
    where a.id = ${alertId}`.execute(db);
  return found.rows[0];
}

/** An alert as it is told: keys of the database stay inside. */
export function serializeAlert({ facility_no, unit_no, ...alert }: AlertRow): CensusAlert {
  return {
    ...alert,
    raised_at: alert.raised_at.toISOString(),
    acknowledged_at: alert.acknowledged_at?.toISOString() ?? null,
    cleared_at: alert.cleared_at?.toISOString() ?? null,
  };
}
