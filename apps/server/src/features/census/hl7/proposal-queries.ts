import type { FeedField, Population } from '@wardline/contract/census/census.ts';
import type { Proposal, ProposalState } from '@wardline/contract/census/proposals.ts';
import type { ProposedCount } from '@wardline/contract/census/unit.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { newId } from '#/platform/new-id.ts';
import type { Touched } from './outcome.ts';
import { proposalValues, proposedCounts } from './proposal-values.ts';

type Queryable = Database | DatabaseTransaction;
type Values = Partial<Record<FeedField, number>>;

const unitDays = (days: readonly Touched[]) => sql`
  unnest(${days.map(({ unitNo }) => unitNo)}::integer[], ${days.map(({ date }) => date)}::date[],
    ${days.map((day) => day.population)}::text[]) as k (unit_no, census_date, population)`;

/** Whether a report of any of these unit-days is in: only then can it be signed. */
export const anyHandedIn = (days: readonly Touched[]) => sql`
  exists (select from ${unitDays(days)}
    join unit_census c on c.unit_no = k.unit_no and c.census_date = k.census_date and c.population = k.population
      and c.status in ('submitted', 'approved', 'locked', 'amending'))`;

/** The same, asked by itself. */
export async function isAnyHandedIn(tx: DatabaseTransaction, days: readonly Touched[]): Promise<boolean> {
  if (days.length === 0) return false;
  const found = await sql<{ is_in: boolean }>`select ${anyHandedIn(days)} as is_in`.execute(tx);
  return found.rows[0]?.is_in ?? false;
}

/** A signed report that is spoken of, with the proposal about it that is open. */
export interface SignedReport extends Touched {
  readonly unitId: string;
  readonly unitCode: string;
  readonly censusAt: Date;
  readonly signed: Readonly<Record<FeedField, number>>;
  readonly open: { readonly id: string; readonly counts: readonly ProposedCount[] } | null;
}

/**
 * Those of the unit-days that were signed, with what was signed: where a report is being corrected, as it was before. A date
 * whose visits have been forgotten is not among them, nor is one from before the patient system counted.
 */
export async function findSignedReports(
  tx: DatabaseTransaction,
  { facilityNo, days }: { facilityNo: number; days: readonly Touched[] },
): Promise<SignedReport[]> {
  const found = await sql<{
    unit_no: number;
    unit_id: string;
    unit_code: string;
    census_date: string;
    population: Population;
    census_at: Date;
    report: Record<FeedField, number>;
    id: string | null;
    signed: Values | null;
    told: Values | null;
  }>`
    select c.unit_no, u.unit_id, n.code as unit_code, c.census_date, c.population, d.census_at, p.id, p.signed, p.told,
      case when c.status in ('approved', 'locked') then to_jsonb(c) else (
        select r.row_data from unit_census_revisions r
        where r.unit_no = c.unit_no and r.census_date = c.census_date and r.population = c.population
          and r.row_data ->> 'status' in ('approved', 'locked')
        order by r.version desc limit 1) end as report
    from ${unitDays(days)}
    join unit_census c on c.unit_no = k.unit_no and c.census_date = k.census_date and c.population = k.population
    join facility_days d on d.facility_no = c.facility_no and d.census_date = c.census_date
      and d.status in ('approved', 'locked', 'reopened')
    join census_units u on u.unit_no = c.unit_no join units n on n.id = u.unit_id
    join census_facilities f on f.facility_no = c.facility_no
    left join census_proposals p on p.unit_no = c.unit_no and p.census_date = c.census_date and p.population = c.population
      and p.state = 'open'
    where c.facility_no = ${facilityNo} and (c.status in ('approved', 'locked') or c.amend_code is not null)
      and c.census_date > coalesce(f.feed_forgotten_to, '-infinity') and c.census_date >= f.feed_live_from
    order by c.census_date, c.unit_no, c.population`.execute(tx);
  return found.rows.map((row) => ({
    unitNo: row.unit_no,
    unitId: row.unit_id,
    unitCode: row.unit_code,
    date: row.census_date,
    population: row.population,
    censusAt: row.census_at,
    signed: row.report,
    fields: fieldsOf(days, row),
    open: row.id === null ? null : { id: row.id, counts: proposedCounts(row.signed ?? {}, row.told ?? {}) },
  }));
}

function fieldsOf(
  days: readonly Touched[],
  row: { readonly unit_no: number; readonly census_date: string; readonly population: Population },
): ReadonlySet<FeedField> {
  const day = days.find(
    ({ unitNo, date, population }) =>
      unitNo === row.unit_no && date === row.census_date && population === row.population,
  );
  return day?.fields ?? new Set();
}

interface UnitDayKey {
  readonly facilityNo: number;
  readonly unitNo: number;
  readonly date: string;
  readonly population: Population;
}

export async function insertProposal(
  tx: DatabaseTransaction,
  { facilityNo, unitNo, date, population, counts }: UnitDayKey & { readonly counts: readonly ProposedCount[] },
): Promise<string> {
  const id = newId();
  const { signed, told } = proposalValues(counts);
  await sql`
    insert into census_proposals (id, facility_no, unit_no, census_date, population, signed, told)
    values (${id}, ${facilityNo}, ${unitNo}, ${date}, ${population}, ${JSON.stringify(signed)}::jsonb,
      ${JSON.stringify(told)}::jsonb)`.execute(tx);
  return id;
}

interface Closing {
  readonly id: string;
  readonly state: Exclude<ProposalState, 'open'>;
  /** Null: by itself. */
  readonly by: string | null;
  readonly reason: string | null;
}

export async function closeProposal(tx: DatabaseTransaction, { id, state, by, reason }: Closing): Promise<void> {
  await sql`
    update census_proposals set state = ${state}, closed_at = now(), closed_by = ${by}, reason = ${reason},
      version = version + 1
    where id = ${id} and state = 'open'`.execute(tx);
}

/** The open one about a report. */
export async function findOpenProposal(
  db: Queryable,
  { unitNo, date, population }: UnitDayKey,
): Promise<{ id: string; counts: ProposedCount[] } | null> {
  const found = await sql<{ id: string; signed: Values; told: Values }>`
    select id, signed, told from census_proposals
    where unit_no = ${unitNo} and census_date = ${date} and population = ${population} and state = 'open'`.execute(db);
  const [row] = found.rows;
  return row ? { id: row.id, counts: proposedCounts(row.signed, row.told) } : null;
}

/** A proposal with the numbers under which the database knows its unit. */
export interface ProposalRow extends Proposal {
  readonly unit_no: number;
}

interface StoredRow extends Omit<ProposalRow, 'counts' | 'raised_at' | 'told_at' | 'closed_at'> {
  readonly signed: Values;
  readonly told: Values;
  readonly raised_at: Date;
  readonly told_at: Date;
  readonly closed_at: Date | null;
}

async function find(db: Queryable, condition: RawBuilder<unknown>): Promise<ProposalRow[]> {
  const found = await sql<StoredRow>`
    select p.id, p.unit_no, u.unit_id, n.code as unit_code, n.name as unit_name, p.census_date, p.population, p.signed, p.told,
      p.state, p.version, p.raised_at, p.told_at, p.closed_at, p.reason,
      case when w.id is not null then json_build_object('id', w.id, 'name', w.name) end as closed_by
    from census_proposals p
    join census_units u on u.unit_no = p.unit_no join units n on n.id = u.unit_id
    left join users w on w.id = p.closed_by
    where ${condition}`.execute(db);
  return found.rows.map(({ signed, told, raised_at, told_at, closed_at, ...row }) => ({
    ...row,
    counts: proposedCounts(signed, told),
    raised_at: raised_at.toISOString(),
    told_at: told_at.toISOString(),
    closed_at: closed_at?.toISOString() ?? null,
  }));
}

export async function findProposal(
  db: Queryable,
  { facilityNo, id }: { facilityNo: number; id: string },
): Promise<ProposalRow | undefined> {
  const [row] = await find(db, sql`p.facility_no = ${facilityNo} and p.id = ${id}`);
  return row;
}

/** Those in a state, the newest first; `before` is the id of the last one of the page before. */
export function findProposals(
  db: Queryable,
  page: { facilityNo: number; state: ProposalState; before: string | null; limit: number },
): Promise<ProposalRow[]> {
  const after = page.before === null ? sql`true` : sql`p.id < ${page.before}`;
  return find(
    db,
    sql`p.facility_no = ${page.facilityNo} and p.state = ${page.state} and ${after} order by p.id desc limit ${page.limit}`,
  );
}
