import { afterAct, isHandedIn } from '@wardline/census/states.ts';
import type { UnitDayStatus } from '@wardline/contract/census/census.ts';
import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { checkSums } from '../clock/check-sums.ts';

interface Row {
  readonly unit_no: number;
  readonly census_date: string;
  readonly status: UnitDayStatus;
  readonly day_status: string;
  readonly version: number;
  readonly was_handed_in: boolean;
  readonly opening: number | null;
  readonly opening_from: string | null;
  readonly closing: number | null;
  readonly transfers_in: number | null;
  readonly transfers_out: number | null;
}

interface DayRow {
  readonly census_date: string;
  readonly status: string;
  readonly census_days: number;
  readonly transfer_gap: number;
}

interface Version {
  readonly unit_no: number;
  readonly census_date: string;
  readonly version: number;
  readonly status: UnitDayStatus;
}

/**
 * What of a facility’s census contradicts itself, computed here from the rows: the chain of openings, the sums of the days, what
 * is signed, and how each report came to be what it is. None: all holds.
 */
export async function whatIsBroken(db: Database, facilityNo: number): Promise<string[]> {
  const rows = await sql<Row>`
    select c.unit_no, c.census_date, c.status, d.status as day_status, c.version, c.submitted_at is not null as was_handed_in,
      c.opening, c.opening_from, c.closing, c.transfers_in, c.transfers_out
    from unit_census c join facility_days d on d.facility_no = c.facility_no and d.census_date = c.census_date
    where c.facility_no = ${facilityNo} order by c.unit_no, c.census_date`.execute(db);
  const days = await sql<DayRow>`
    select census_date, status, census_days, transfer_gap from facility_days where facility_no = ${facilityNo}`.execute(
    db,
  );
  const before = await sql<Version>`
    select r.unit_no, r.census_date, r.version, r.row_data->>'status' as status from unit_census_revisions r
    join unit_census c on c.unit_no = r.unit_no and c.census_date = r.census_date and c.population = r.population
    where c.facility_no = ${facilityNo} order by r.version`.execute(db);
  const facility = { facility_no: facilityNo, facility_id: '', newest: '2026-11-19', full_percent: 100 };
  const differences = await checkSums({ db }, facility);
  return [
    ...Object.entries(differences).map(([check, where]) => `${check} ${JSON.stringify(where)}`),
    ...rows.rows.filter((row) => isTornOff(row, rows.rows)).map((row) => `the opening of ${nameOf(row)}`),
    ...days.rows.flatMap((day) => wrongDay(day, rows.rows)),
    ...rows.rows.flatMap((row) => wrongHistory(row, before.rows)),
  ];
}

const nameOf = ({ unit_no, census_date, status }: Pick<Row, 'unit_no' | 'census_date' | 'status'>) =>
  `${unit_no} ${census_date} (${status})`;

const isSettled = ({ status }: Pick<Row, 'status'>) =>
  status === 'submitted' || status === 'approved' || status === 'locked';

/** A report that stands opens with the closing of the last one before it, but while that is being changed, or awaits a signature. */
function isTornOff(row: Row, rows: readonly Row[]): boolean {
  const earlier = rows.filter(
    ({ unit_no, census_date, was_handed_in }) =>
      unit_no === row.unit_no && census_date < row.census_date && was_handed_in,
  );
  if (!isSettled(row) || !earlier.every(isSettled)) return false;
  const waits = row.status !== 'submitted' && earlier.some(({ status }) => status === 'submitted');
  const last = earlier.at(-1);
  if (waits) return false;
  return last ? row.opening !== last.closing || row.opening_from !== last.census_date : row.opening_from !== null;
}

/** A day is the sum of its units; what is signed is all approved, and what moved between its units cancels out or is accepted. */
function wrongDay(day: DayRow, rows: readonly Row[]): string[] {
  const own = rows.filter(({ census_date }) => census_date === day.census_date);
  const sum = (of: (row: Row) => number | null) =>
    own.filter(({ status }) => isHandedIn(status)).reduce((total, row) => total + (of(row) ?? 0), 0);
  const broken = sum(({ closing }) => closing) === day.census_days ? [] : [`the sum of ${day.census_date}`];
  if (day.status !== 'approved' && day.status !== 'locked') return broken;
  const isOpen = own.some(({ status }) => status !== 'approved' && status !== 'locked');
  const moved = sum(({ transfers_in, transfers_out }) => (transfers_in ?? 0) - (transfers_out ?? 0));
  return [
    ...broken,
    ...(isOpen ? [`${day.census_date} is signed with an open report`] : []),
    ...(moved !== 0 && day.transfer_gap === 0 ? [`${day.census_date} is signed over a gap that is not counted`] : []),
  ];
}

const ACTS = ['save', 'submit', 'withdraw', 'return', 'approve', 'lock', 'amend'] as const;

/** From the first time it was handed in every version is kept, each one act away from the one before. */
function wrongHistory(row: Row, before: readonly Version[]): string[] {
  const kept = before.filter(({ unit_no, census_date }) => unit_no === row.unit_no && census_date === row.census_date);
  const versions = row.was_handed_in ? [...kept, row] : kept;
  return versions.flatMap((next, index) => {
    const last = versions[index - 1];
    if (!last) return [];
    // A correction that is withdrawn is one still; an opening moves without an act.
    const isAct = ACTS.some((act) => afterAct(last.status, act) === next.status);
    const isWithdrawal = last.status === 'submitted' && next.status === 'amending';
    const isStep = next.version === last.version + 1 && (isAct || isWithdrawal || last.status === next.status);
    return isStep ? [] : [`${nameOf(next)} does not follow version ${last.version} (${last.status})`];
  });
}
