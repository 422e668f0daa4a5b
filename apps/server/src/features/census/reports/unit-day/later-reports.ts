import { PART_RULES } from '@wardline/census/part-rules.ts';
import type { Counts } from '@wardline/contract/census/census.ts';
import { sql } from 'kysely';
import { countsJson } from '#/features/census/core/counts-json.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { UnitDayKey } from './unit-day-queries.ts';

/** The parts of the closing that the database holds: a later report has room for them, or it cannot move. */
export const STORED_PARTS = PART_RULES.filter(({ of, constraint }) => of === 'closing' && constraint !== null);

/** A later report of the chain, as it is and with the opening that the closings before it now give. */
export interface LaterReport {
  readonly census_date: string;
  readonly was_handed_in: boolean;
  /** Its day is signed or it is locked. */
  readonly is_closed: boolean;
  readonly after_approval: boolean;
  /** It stands handed in, of the last day of its unit. */
  readonly ends_unit: boolean;
  readonly opening: number | null;
  readonly opening_from: string | null;
  readonly new_opening: number;
  readonly new_from: string;
  /** What it would close with; null while a part of the balance is not given. */
  readonly new_closing: number | null;
  readonly most: number;
  readonly parts: Partial<Counts>;
}

/**
 * The later reports that do not open as they must, in the order of their dates: each must open with the closing at the date
 * and what came and went in the reports between that were handed in. One window over the chain, however long.
 */
export async function findMoved(
  db: Database | DatabaseTransaction,
  { unitNo, date, population }: UnitDayKey,
  closing: number,
): Promise<LaterReport[]> {
  const found = await sql<LaterReport>`
    with later as (
      select c.census_date, c.opening, c.opening_from, c.closing - c.opening as net, ${countsJson(STORED_PARTS.map(({ field }) => field))} as parts,
        c.submitted_at is not null as was_handed_in,
        c.submitted_at is not null and c.closing is not null as is_link,
        c.status = 'locked' or d.status in ('approved', 'locked') as is_closed,
        c.status in ('approved', 'locked') or c.amend_code is not null as after_approval,
        c.status in ('submitted', 'approved', 'locked') and coalesce(upper(u.active) = c.census_date + 1, false) as ends_unit,
        coalesce(c.admissions, 0)::integer + coalesce(c.births, 0) + coalesce(c.transfers_in, 0) as inflow
      from unit_census c join census_units u on u.unit_no = c.unit_no
      join facility_days d on d.facility_no = c.facility_no and d.census_date = c.census_date
      where c.unit_no = ${unitNo} and c.population = ${population} and c.census_date > ${date}
    ), chain as (
      select *, (${closing}::integer + coalesce(sum(net) filter (where is_link) over before, 0))::integer as new_opening,
        coalesce(max(census_date) filter (where is_link) over before, ${date}::date) as new_from
      from later
      window before as (order by census_date rows between unbounded preceding and 1 preceding)
    )
    select census_date, was_handed_in, is_closed, after_approval, ends_unit, opening, opening_from, new_opening, new_from,
      new_opening + net as new_closing, new_opening + inflow as most, parts
    from chain
    where opening is distinct from new_opening or opening_from is distinct from new_from
    order by census_date`.execute(db);
  return found.rows;
}
