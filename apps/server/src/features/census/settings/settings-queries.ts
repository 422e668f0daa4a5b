import type { Population } from '@wardline/contract/census/census.ts';
import type { CensusSettings } from '@wardline/contract/census/settings.ts';
import { sql } from 'kysely';
import { mayReport } from '#/features/census/core/discussion-queries.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';

type Queryable = Database | DatabaseTransaction;

export type UnitSettings = CensusSettings['units'][number] & { readonly unit_no: number };

/** The units of a facility with their people and their beds of all dates. */
export async function findUnitSettings(db: Queryable, facilityNo: number): Promise<UnitSettings[]> {
  const found = await sql<UnitSettings>`
    select u.unit_no, u.unit_id, n.code as unit_code, n.name as unit_name, n.kind as unit_kind, u.populations, u.counts_in_census,
      u.counts_in_occupancy, u.hsloc, u.safr_group, lower(u.active) as active_from, upper(u.active) - 1 as active_to,
      (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'may_report', ${mayReport})
          order by p.name collate "und-x-icu", p.id), '[]')
        from census_assignments a
        join memberships m on m.user_id = a.user_id and m.facility_id = u.facility_id and m.ended_at is null
        join users p on p.id = a.user_id
        where a.unit_no = u.unit_no) as people,
      (select coalesce(json_agg(json_build_object('population', b.population, 'from', coalesce(lower(b.valid), '1900-01-01'),
          'licensed', b.licensed, 'physical', b.physical, 'staffed', b.staffed, 'surge', b.surge, 'reason', b.reason)
          order by b.population, lower(b.valid) nulls first), '[]')
        from bed_complements b where b.unit_no = u.unit_no) as beds
    from census_units u join units n on n.id = u.unit_id
    where u.facility_no = ${facilityNo}
    order by n.position, n.name collate "und-x-icu", u.unit_no`.execute(db);
  return found.rows;
}

/** The newest day of a facility that was made, whose clock is fixed with it. */
export async function findNewestDay(db: Queryable, facilityNo: number): Promise<string | null> {
  const found = await sql<{ date: string | null }>`
    select max(census_date) as date from facility_days where facility_no = ${facilityNo}`.execute(db);
  return found.rows[0]?.date ?? null;
}

/** The newest day that was signed; nothing up to it is changed by a setting. */
export async function findLastSignedDay(db: Queryable, facilityNo: number): Promise<string | null> {
  const found = await sql<{ date: string | null }>`
    select max(census_date) as date from facility_days
    where facility_no = ${facilityNo} and (status in ('approved', 'locked') or signed_at is not null)`.execute(db);
  return found.rows[0]?.date ?? null;
}

export interface UnitColumns {
  readonly populations: readonly Population[];
  readonly counts_in_census: boolean;
  readonly counts_in_occupancy: boolean;
  readonly hsloc: string | null;
  readonly safr_group: string | null;
  readonly active_from: string | null;
  readonly active_to: string | null;
}

/** How many patients the reports of a unit that are in have at the end of a date. */
export async function countLeft(tx: DatabaseTransaction, unitNo: number, date: string): Promise<number> {
  const found = await sql<{ left: number }>`
    select coalesce(sum(closing), 0)::integer as left from reported_unit_census
    where unit_no = ${unitNo} and census_date = ${date}::date`.execute(tx);
  return found.rows[0]?.left ?? 0;
}

/** The first and last date of which a unit has a report, by population. */
export async function findReported(
  tx: DatabaseTransaction,
  unitNo: number,
): Promise<{ population: Population; first: string; last: string }[]> {
  const found = await sql<{ population: Population; first: string; last: string }>`
    select population, min(census_date) as first, max(census_date) as last from unit_census
    where unit_no = ${unitNo} group by population`.execute(tx);
  return found.rows;
}
