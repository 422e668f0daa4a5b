import type { Population, UnitDayStatus } from '@wardline/contract/census/census.ts';
import type { GivenTransfer } from '@wardline/contract/census/unit.ts';
import { sql } from 'kysely';
import { populationsOn } from '#/features/census/core/config-queries.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { UnitDayKey } from './unit-day-queries.ts';

type Queryable = Database | DatabaseTransaction;

/** A move between this unit and a partner, as both sides count it. */
export interface TransferRow {
  readonly partner_no: number;
  readonly unit_id: string;
  readonly unit_code: string;
  readonly direction: 'in' | 'out';
  readonly mine: number | null;
  readonly theirs: number | null;
  readonly partner_status: UnitDayStatus | null;
}

export async function listTransfers(db: Queryable, key: UnitDayKey): Promise<TransferRow[]> {
  const { unitNo, date, population } = key;
  const found = await sql<TransferRow>`
    with moves as (
      select to_unit as partner_no, 'out' as direction, out_count as mine, in_count as theirs from unit_transfers
      where census_date = ${date} and from_unit = ${unitNo} and population = ${population}
      union all
      select from_unit, 'in', in_count, out_count from unit_transfers
      where census_date = ${date} and to_unit = ${unitNo} and population = ${population}
    )
    select m.*, u.unit_id, n.code as unit_code, c.status as partner_status
    from moves m join census_units u on u.unit_no = m.partner_no join units n on n.id = u.unit_id
    left join unit_census c on c.unit_no = m.partner_no and c.census_date = ${date} and c.population = ${population}
    order by m.direction, n.position, n.code, m.partner_no`.execute(db);
  return found.rows;
}

/** A unit that somebody names as a partner. */
export interface Partner {
  readonly unit_no: number;
  readonly unit_id: string;
  readonly unit_code: string;
  /** Those that it reports on the date. */
  readonly populations: Population[];
}

/** Those of the ids that are units of this facility. */
export async function findPartners(db: Queryable, key: UnitDayKey, unitIds: readonly string[]): Promise<Partner[]> {
  if (unitIds.length === 0) return [];
  const found = await sql<Partner>`
    select u.unit_no, u.unit_id, n.code as unit_code, ${populationsOn(key.date)} as populations
    from census_units u join units n on n.id = u.unit_id
    where u.facility_no = ${key.facilityNo} and u.unit_id = any(${[...unitIds]}::uuid[])`.execute(db);
  return found.rows;
}

export interface SaidTransfer extends Omit<GivenTransfer, 'unit_id'> {
  readonly partner_no: number;
  readonly unit_code: string;
}
