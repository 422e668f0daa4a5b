import type { Estimate, Population } from '@wardline/contract/census/census.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';

type Queryable = Database | DatabaseTransaction;

/** One unit, date and population. */
interface EstimateKey {
  readonly facilityNo: number;
  readonly unitNo: number;
  readonly date: string;
  readonly population: Population;
}

/** The estimate `e` of the person `ep` as the contract has it; null where there is none. */
export const estimateJson = sql`
  case when e.unit_no is not null then json_build_object('census', e.census, 'reason', e.reason,
    'by', json_build_object('id', ep.id, 'name', ep.name),
    'at', to_char(e.estimated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end`;

/** Joins it to unit `u` and population `k` on a date. */
export const joinEstimate = (date: string) => sql`
  left join census_estimates e on e.unit_no = u.unit_no and e.census_date = ${date}::date and e.population = k.population
  left join users ep on ep.id = e.estimated_by`;

export async function findEstimate(db: Queryable, key: EstimateKey): Promise<Estimate | null> {
  const found = await sql<{ estimate: Estimate }>`
    select ${estimateJson} as estimate from census_estimates e join users ep on ep.id = e.estimated_by
    where e.unit_no = ${key.unitNo} and e.census_date = ${key.date} and e.population = ${key.population}`.execute(db);
  return found.rows[0]?.estimate ?? null;
}

/** Stores an estimate in the place of the one before. */
export async function storeEstimate(
  tx: DatabaseTransaction,
  key: EstimateKey,
  { census, reason, by, at }: { census: number; reason: string; by: string; at: Date },
): Promise<void> {
  await sql`
    insert into census_estimates (facility_no, unit_no, census_date, population, census, reason, estimated_by, estimated_at)
    values (${key.facilityNo}, ${key.unitNo}, ${key.date}, ${key.population}, ${census}, ${reason}, ${by}, ${at})
    on conflict (unit_no, census_date, population) do update set census = excluded.census, reason = excluded.reason,
      estimated_by = excluded.estimated_by, estimated_at = excluded.estimated_at`.execute(tx);
}

/** Forgets an estimate; what it said, or null where there was none. */
export async function removeEstimate(tx: DatabaseTransaction, key: EstimateKey): Promise<number | null> {
  const removed = await sql<{ census: number }>`
    delete from census_estimates
    where unit_no = ${key.unitNo} and census_date = ${key.date} and population = ${key.population} returning census`.execute(
    tx,
  );
  return removed.rows[0]?.census ?? null;
}

interface Range {
  readonly facilityNo: number;
  readonly from: string;
  readonly to: string;
}

/** An estimate of a range, with the facility's day that it is about. */
export interface EstimateRow {
  readonly unit_no: number;
  readonly unit_code: string;
  readonly population: Population;
  readonly census_date: string;
  readonly census: number;
  readonly by: string;
  readonly reason: string;
  readonly units_submitted: number;
  readonly units_expected: number;
}

/** The estimates that stand in these dates, by date and unit. */
export async function listEstimates(db: Queryable, { facilityNo, from, to }: Range): Promise<EstimateRow[]> {
  const found = await sql<EstimateRow>`
    select e.unit_no, n.code as unit_code, e.population, e.census_date, e.census, p.name as by, e.reason, d.units_submitted,
      d.units_expected
    from census_estimates e join census_units u on u.unit_no = e.unit_no join units n on n.id = u.unit_id
    join users p on p.id = e.estimated_by
    join facility_days d on d.facility_no = e.facility_no and d.census_date = e.census_date
    where e.facility_no = ${facilityNo} and e.census_date between ${from} and ${to}
    order by e.census_date, n.position, n.code, e.population`.execute(db);
  return found.rows;
}
