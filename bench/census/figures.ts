import type { CompiledQuery } from 'kysely';
import { sql } from 'kysely';
import { findCensusUnits } from '../../apps/server/src/features/census/board/current-config-queries.ts';
import {
  findBoardRows,
  findStandingAlerts,
  getCensusBoard,
} from '../../apps/server/src/features/census/board/get-census-board.ts';
import { getCensusForecast } from '../../apps/server/src/features/census/board/get-census-forecast.ts';
import { getCensusHeatmap } from '../../apps/server/src/features/census/board/get-census-heatmap.ts';
import { getCensusSummary } from '../../apps/server/src/features/census/board/get-census-summary.ts';
import { findDayStatuses, findUnitReports } from '../../apps/server/src/features/census/board/heatmap-queries.ts';
import { partsOf } from '../../apps/server/src/features/census/board/steps.ts';
import { findStepSums } from '../../apps/server/src/features/census/board/summary-queries.ts';
import { refreshSums } from '../../apps/server/src/features/census/core/config-queries.ts';
import { listEstimates } from '../../apps/server/src/features/census/core/estimate-queries.ts';
import {
  findDay,
  findTransfers,
  findUnitsOfDay,
} from '../../apps/server/src/features/census/day/facility-day-queries.ts';
import { walkChain } from '../../apps/server/src/features/census/log/verification-queries.ts';
import { findMoved } from '../../apps/server/src/features/census/reports/unit-day/later-reports.ts';
import type { Database, DatabaseTransaction } from '../../apps/server/src/platform/db/database.ts';
import type { Actor } from '../../apps/server/src/platform/http/actor.ts';
import { LOG_ENTRIES, LOGGED_FACILITY } from './long-log.ts';
import type { Extent } from './ten-years.ts';

/** One number: what is done, and in how many milliseconds; null where CEN-11 asks for none. */
export interface Figure {
  readonly name: string;
  readonly goalMs: number | null;
  /** How often it is measured, where that is not the usual number. */
  readonly runs?: number;
  run(db: Database, turn: number): Promise<unknown>;
}

/** The product's own statements, each turn about another hospital so that no answer is the one before. */
export function statementsOf(extent: Extent): Figure[] {
  const { units, from, to } = extent;
  const facilityNo = (turn: number) => hospitalOf(extent, turn);
  const lastMonth = `${to.slice(0, 7)}-01`;
  const censusAt = new Date(`${to}T16:00:00Z`);
  const now = new Date(censusAt.getTime() + 2 * 3_600_000);
  const denominator = 'staffed' as const;
  return [
    {
      name: 'board',
      goalMs: 10,
      async run(db, turn) {
        await findBoardRows(db, { facilityNo: facilityNo(turn), date: to, censusAt, now, boardingHours: 4 });
        await findStandingAlerts(db, { facilityNo: facilityNo(turn), since: censusAt });
      },
    },
    {
      name: 'day',
      goalMs: 10,
      async run(db, turn) {
        const day = { facilityNo: facilityNo(turn), date: `${to.slice(0, 8)}${10 + (turn % 10)}` };
        await findDay(db, day);
        await findUnitsOfDay(db, day);
        await findTransfers(db, day);
      },
    },
    {
      name: 'heat map of 30 units and 365 days',
      goalMs: 25,
      async run(db, turn) {
        const range = { facilityNo: facilityNo(turn), from: `${to.slice(0, 4)}-01-01`, to };
        await findCensusUnits(db, range);
        await findUnitReports(db, { ...range, denominator });
        await listEstimates(db, range);
        await findDayStatuses(db, range);
      },
    },
    {
      name: 'ten years of a hospital by month',
      goalMs: 15,
      run: (db, turn) =>
        findStepSums(db, { facilityNo: facilityNo(turn), parts: partsOf({ from, to }), denominator, by: 'month' }),
    },
    { name: 'a month of the network', goalMs: 15, run: (db) => networkMonth(db, lastMonth) },
    {
      name: 'the later days that a closing of ten years ago moves',
      goalMs: null,
      run: (db, turn) => db.transaction().execute((tx) => findMoved(tx, firstDay(facilityNo(turn), extent), 30)),
    },
    {
      name: `a walk over ${LOG_ENTRIES} entries of a log`,
      goalMs: null,
      runs: 5,
      run: (db) => db.transaction().execute((tx) => walkWhole(tx)),
    },
    {
      name: 'a correction with its sums',
      goalMs: 25,
      run: (db, turn) =>
        correct(db, { facilityNo: facilityNo(turn), units, date: `${to.slice(0, 8)}${10 + (turn % 10)}` }),
    },
  ];
}

/** Another hospital each turn, out of fifty. */
function hospitalOf({ facilities }: Extent, turn: number): number {
  return 1 + ((turn * 7) % Math.min(facilities, 50));
}

/** What a page asks for, from its permissions to its shape, on one connection: all but the HTTP. */
export function answersOf(extent: Extent): Figure[] {
  const { from, to } = extent;
  const now = new Date(`${to}T18:00:00Z`);
  const year = `${to.slice(0, 4)}-01-01`;
  const answer = (
    name: string,
    ask: (ctx: { actor: Actor; db: Database }, facility: string) => Promise<unknown>,
  ): Figure => ({
    name,
    goalMs: null,
    async run(db, turn) {
      const facility = await facilityId(db, hospitalOf(extent, turn));
      await ask({ db, actor: readerOf(facility) }, facility);
    },
  });
  return [
    answer('board', (ctx, facility) => getCensusBoard(ctx, { params: { facility } }, now)),
    answer('heat map of a year', (ctx, facility) =>
      getCensusHeatmap(ctx, { params: { facility }, query: { from: year, to } }, now),
    ),
    answer('forecast', (ctx, facility) => getCensusForecast(ctx, { params: { facility } }, now)),
    answer('summary of a month by day', (ctx, facility) =>
      getCensusSummary(ctx, { params: { facility }, query: { from: `${to.slice(0, 8)}01`, to, by: 'day' } }, now),
    ),
    answer('summary of a year by month', (ctx, facility) =>
      getCensusSummary(ctx, { params: { facility }, query: { from: year, to, by: 'month' } }, now),
    ),
    answer('summary of ten years by month', (ctx, facility) =>
      getCensusSummary(ctx, { params: { facility }, query: { from, to, by: 'month' } }, now),
    ),
  ];
}

async function facilityId(db: Database, facilityNo: number): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select facility_id as id from census_facilities where facility_no = ${facilityNo}`.execute(db);
  return rows[0]?.id ?? '';
}

/** Somebody who may read all of a facility's census. */
function readerOf(facilityId: string): Actor {
  const permissions = new Set(['census.view', 'census.report_summary', 'census.logs']);
  const facility = { id: facilityId, facilityId, facilityName: '', title: null, roles: [], permissions };
  const person = { userId: facilityId, name: '', email: '', emailVerifiedAt: null, isOperator: false, avatarKey: null };
  return { ...person, memberships: [facility], credential: { kind: 'session', key: '', abilities: ['*'] } };
}

/** A unit's first report; with another closing all 3,652 after it open with another number. */
function firstDay(facilityNo: number, { units, from }: Extent) {
  return { facilityNo, unitNo: (facilityNo - 1) * units + 5, date: from, population: 'adult_and_child' } as const;
}

async function walkWhole(tx: DatabaseTransaction): Promise<void> {
  const { entries, broken_at } = await walkChain(tx, LOGGED_FACILITY);
  if (entries !== LOG_ENTRIES || broken_at !== null) throw new Error(`${entries} entries, broken at ${broken_at}`);
}

/** Every hospital's month; no page asks for it yet. */
async function networkMonth(db: Database, month: string): Promise<unknown> {
  return sql`
    select f.facility_id, m.population, m.units_reported, m.units_on_time, m.census_days, m.service_days,
      m.occupancy_service_days, m.staffed_bed_days, m.licensed_bed_days, m.admissions, m.discharges, m.deaths
    from facility_months m join census_facilities f using (facility_no) where m.month = ${month}::date`.execute(db);
}

/** A discharge more, or one less again, in the middle of a signed month: the row, what it was before, the sums. */
async function correct(
  db: Database,
  { facilityNo, units, date }: { facilityNo: number; units: number; date: string },
): Promise<void> {
  const unitNo = (facilityNo - 1) * units + 5;
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into unit_census_revisions (unit_no, census_date, population, version, row_data, reason_code, reason)
      select unit_no, census_date, population, version, to_jsonb(c), 'miscount', 'counted twice' from unit_census c
      where unit_no = ${unitNo} and census_date = ${date} and population = 'adult_and_child'`.execute(tx);
    await sql`
      update unit_census set version = version + 1, admissions = admissions + case when version % 2 = 0 then 1 else -1 end,
        discharges = discharges + case when version % 2 = 0 then 1 else -1 end
      where unit_no = ${unitNo} and census_date = ${date} and population = 'adult_and_child'`.execute(tx);
    await refreshSums(tx, { facilityNo, unitNo, population: 'adult_and_child', from: date, to: date });
  });
}

/** The same database, and the statements that were run on it. */
export function watched(db: Database): { db: Database; statements: CompiledQuery[] } {
  const statements: CompiledQuery[] = [];
  const executor = db.getExecutor();
  return {
    statements,
    db: db.withPlugin({
      transformQuery({ node, queryId }) {
        statements.push(executor.compileQuery(node, queryId));
        return node;
      },
      transformResult: async ({ result }) => result,
    }),
  };
}
