import { balanceOf, toCounts } from '@wardline/census/balance.ts';
import { addDays, newestCensusDate } from '@wardline/census/calendar.ts';
import { measuresOf, noSums } from '@wardline/census/measures.ts';
import { submitFindings } from '@wardline/census/rules.ts';
import type { Counts, Population } from '@wardline/contract/census/census.ts';
import { CENSUS_ACTIONS } from '@wardline/contract/census/logs.ts';
import type { GivenTransfer } from '@wardline/contract/census/unit.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changesNow } from '#/features/census/alerts/raise-alerts.ts';
import { checkSums } from '#/features/census/clock/check-sums.ts';
import { nextHash } from '#/features/census/core/append-log.ts';
import { isNightly } from '#/testing/nightly.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';
import { seedDemo } from '../demo-hospital.ts';

const daysOfFourWeeks = () => Array.from({ length: 28 }, (_, days) => addDays('2026-11-23', days));

/** An afternoon in Dublin. */
const now = new Date('2026-11-20T15:30:00Z');
const newest = '2026-11-19';

type Report = { [Field in keyof Counts]: number } & {
  unit: string;
  unit_no: number;
  census_date: string;
  population: Population;
  status: string;
  opening: number;
  opening_from: string | null;
  closing: number;
  service_days: number;
  beds_licensed: number;
  beds_physical: number;
  beds_staffed: number;
  beds_surge: number;
  beds_blocked: number;
  variance_reason: string | null;
  capacity_reason: string | null;
  is_on_time: boolean;
  restatement_no: number | null;
};

let database: TestDatabase;
let reports: Report[];
let moves: Move[];
const movesOn = new Map<string, Move[]>();

interface Move {
  census_date: string;
  from_unit: number;
  to_unit: number;
  out_count: number | null;
  in_count: number | null;
}

beforeAll(async () => {
  database = await testDatabase();
  await seedDemo(database.db, { password: 'demo password', hashPassword: async () => 'a hash', now });
  reports = (
    await sql<Report>`
      select c.*, n.code as unit from unit_census c join census_units u using (unit_no) join units n on n.id = u.unit_id
      order by c.unit_no, c.population, c.census_date`.execute(database.db)
  ).rows;
  moves = (await sql<Move>`select * from unit_transfers order by census_date`.execute(database.db)).rows;
  for (const move of moves) movesOn.set(move.census_date, [...(movesOn.get(move.census_date) ?? []), move]);
});
afterAll(() => database.close());

async function rowsOf<Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  return (await query.execute(database.db)).rows;
}

function wordsOf(report: Report): GivenTransfer[] {
  const { census_date, unit_no } = report;
  return (movesOn.get(census_date) ?? []).flatMap(({ from_unit, to_unit, out_count, in_count }): GivenTransfer[] => {
    if (from_unit === unit_no && out_count) return [{ unit_id: String(to_unit), direction: 'out', count: out_count }];
    if (to_unit === unit_no && in_count) return [{ unit_id: String(from_unit), direction: 'in', count: in_count }];
    return [];
  });
}

describe('the census of the demo hospital', () => {
  test('CEN-1 OPS-1 spans two years up to the newest date, and every report could have been submitted', () => {
    expect(newestCensusDate(now, { time_zone: 'Europe/Dublin', census_time: '00:00' })).toBe(newest);
    expect(reports.length).toBeGreaterThan(10 * 725);
    expect(reports[0]?.census_date).toBe('2024-11-20');
    const previous = new Map<number, number>();
    const broken = reports.flatMap((report) => {
      const findings = submitFindings({
        unit_id: String(report.unit_no),
        population: report.population,
        opening: report.opening,
        previous_closing: previous.get(report.unit_no) ?? null,
        counts: toCounts(report),
        typed_closing: report.closing,
        transfers: wordsOf(report),
        beds: {
          licensed: report.beds_licensed,
          physical: report.beds_physical,
          staffed: report.beds_staffed,
          surge: report.beds_surge,
          blocked: report.beds_blocked,
        },
        variance_reason: report.variance_reason,
        capacity_reason: report.capacity_reason,
      });
      previous.set(report.unit_no, report.closing);
      return findings.map(({ code, message }) => `${report.unit} ${report.census_date} ${code}: ${message}`);
    });
    expect(broken).toEqual([]);
    expect(reports.filter((report) => balanceOf(report).service_days !== report.service_days)).toEqual([]);
    expect(reports.filter(({ variance_reason }) => variance_reason !== null).length).toBeGreaterThan(20);
  });

  test('CEN-3 moves agree on both sides, but for one on the newest date and those of units that have not reported it', () => {
    const gaps = moves.filter(({ out_count, in_count }) => out_count !== in_count);
    expect(new Set(gaps.map(({ census_date }) => census_date))).toEqual(new Set([newest]));
    const said = gaps.filter(({ out_count, in_count }) => out_count !== null && in_count !== null);
    const unitNo = (code: string) => reports.find(({ unit }) => unit === code)?.unit_no;
    expect(said).toEqual([
      expect.objectContaining({ from_unit: unitNo('SUR 2B'), to_unit: unitNo('ONC'), out_count: 2, in_count: 1 }),
    ]);
  });

  test('CEN-3 CEN-R7 of the newest day only the move that two reports tell differently is a gap', async () => {
    const gaps = await rowsOf(sql<{ census_date: string; transfer_gap: number }>`
      select census_date, transfer_gap from facility_days where transfer_gap > 0`);
    expect(gaps).toEqual([{ census_date: newest, transfer_gap: 1 }]);
  });

  test.runIf(isNightly)(
    'CEN-3 OPS-1 the planner knows what was loaded, and the nightly check ends also where it believes it is nothing',
    async () => {
      const { db } = database;
      const known = await rowsOf(sql<{ rows: number }>`
      select reltuples::integer as rows from pg_class where oid = 'unit_census'::regclass`);
      expect(known[0]?.rows).toBe(reports.length);
      const facilities = await rowsOf(sql<{ facility_no: number; facility_id: string }>`
      select facility_no, facility_id from census_facilities`);
      for (const table of ['unit_census', 'facility_days', 'unit_transfers', 'unit_months', 'facility_months']) {
        await sql`delete from pg_statistic where starelid = ${table}::regclass`.execute(db);
        await sql`
        select pg_restore_relation_stats('schemaname', 'public', 'relname', ${table}::text, 'reltuples', 0::real,
          'relpages', (pg_relation_size(${table}::regclass) / 8192)::integer)`.execute(db);
      }
      try {
        for (const facility of facilities) {
          expect(await checkSums({ db }, { ...facility, newest, full_percent: 100 })).toEqual({});
        }
      } finally {
        await sql`select analyze_census()`.execute(db);
      }
    },
  );

  test('CEN-1 CEN-6 leaves the newest day as people find it: MED 3A owes it, ICU is missing, SUR 2B waits, PED was late', () => {
    const states = new Map(reports.filter(({ census_date }) => census_date === newest).map((one) => [one.unit, one]));
    expect(Object.fromEntries([...states].map(([unit, { status }]) => [unit, status]))).toEqual({
      'SUR 2B': 'submitted',
      MAT: 'approved',
      NUR: 'approved',
      PED: 'approved',
      ONC: 'approved',
      ED: 'approved',
      C: 'approved',
      DAY: 'submitted',
    });
    expect([...states.values()].filter(({ is_on_time }) => !is_on_time).map(({ unit }) => unit)).toContain('PED');
    const closed = (unit: string, date: string) =>
      reports.find((one) => one.unit === unit && one.census_date === date)?.closing;
    expect(closed('MED 3A', '2026-11-18')).toBe(24);
    expect(closed('ICU', '2026-11-18')).toBe(9);
    expect(closed('SUR 2B', newest)).toBe(19);
    expect(reports.find(({ status }) => status === 'returned')).toMatchObject({
      unit: 'MED 3A',
      census_date: '2026-11-17',
    });
    expect(reports.some(({ unit, census_date }) => unit === 'PED' && census_date === '2026-10-29')).toBe(false);
    expect(reports.find(({ unit, census_date }) => unit === 'PED' && census_date === '2026-10-30')?.opening_from).toBe(
      '2026-10-28',
    );
  });

  test('CEN-3 has signed and locked every day that is older than three days, but for the one with a gap', async () => {
    const days = await rowsOf(sql<{ code: string; date: string; status: string; units: string }>`
      select f.code, d.census_date as date, d.status, d.units_approved || ' of ' || d.units_expected as units
      from facility_days d join census_facilities c using (facility_no) join facilities f on f.id = c.facility_id
      where d.status <> 'locked' order by f.code, d.census_date`);
    expect(days).toEqual([
      { code: 'HD', date: '2026-11-17', status: 'approved', units: '2 of 2' },
      { code: 'HD', date: '2026-11-18', status: 'approved', units: '2 of 2' },
      { code: 'HD', date: newest, status: 'open', units: '1 of 2' },
      { code: 'SB', date: '2026-10-29', status: 'open', units: '7 of 8' },
      { code: 'SB', date: '2026-11-17', status: 'open', units: '7 of 8' },
      { code: 'SB', date: '2026-11-18', status: 'approved', units: '8 of 8' },
      { code: 'SB', date: newest, status: 'open', units: '5 of 8' },
    ]);
    const unlike = await rowsOf(sql`
      select c.unit_no, c.census_date from unit_census c join facility_days d using (facility_no, census_date)
      where d.status <> 'open' and c.status <> d.status`);
    expect(unlike).toEqual([]);
  });

  test('CEN-6 lies where hospitals lie: 60 to 105 % of the staffed beds, month by month', async () => {
    const months = await rowsOf(sql<{ month: string; service: number; beds: number; code: string; of: Population }>`
      select m.month, f.code, m.population as of, m.occupancy_service_days as service, m.staffed_bed_days as beds
      from facility_months m join census_facilities c using (facility_no) join facilities f on f.id = c.facility_id`);
    expect(months.length).toBeGreaterThanOrEqual(3 * 24);
    const occupancy = months.map(({ service, beds }) => {
      const sums = { ...noSums(30), occupancy_service_days: service, bed_days: beds };
      return Number(measuresOf(sums).find(({ name }) => name === 'occupancy')?.value);
    });
    expect(Math.min(...occupancy)).toBeGreaterThan(60);
    expect(Math.max(...occupancy)).toBeLessThan(105);
    const reported = await rowsOf(sql<{ n: number }>`
      select (select sum(days_reported) from unit_months)::int - (select count(*) from reported_unit_census)::int as n`);
    expect(reported).toEqual([{ n: 0 }]);
  });

  test('CEN-3 CEN-7 tells two corrections whole: revisions as they were, a batch, the day whose opening moved marked, the reopening logged', async () => {
    const restated = reports.filter(({ restatement_no }) => restatement_no !== null);
    expect(restated.map(({ unit, census_date }) => `${unit} ${census_date}`)).toEqual([
      'MED 3A 2026-11-11',
      'ONC 2026-11-03',
    ]);
    const revisions = await rowsOf(sql<{ row_data: Report; version: number; unit_no: number; census_date: string }>`
      select * from unit_census_revisions order by unit_no, census_date`);
    expect(revisions).toHaveLength(4);
    for (const { row_data: before, version } of revisions) {
      expect(version).toBe(3);
      expect(balanceOf(before).closing).toBe(before.closing);
      expect(before.counted).toBe(before.closing - before.on_leave - 1);
    }
    const actions = await rowsOf(
      sql<{ action: string }>`select action from census_log where after_approval order by seq`,
    );
    expect(new Set(actions.map(({ action }) => action))).toEqual(
      new Set([
        'facility_day.reopen',
        'unit_day.amend',
        'unit_day.save',
        'unit_day.submit',
        'unit_day.approve',
        'unit_day.restate',
      ]),
    );
  });

  test('CEN-7 keeps a log of the last 30 days whose chain holds, in the order of its clock and before now', async () => {
    for (const code of ['SB', 'HD']) {
      const log = await rowsOf(sql<{
        seq: number;
        at: Date;
        action: string;
        entry: string;
        prev_hash: Buffer;
        hash: Buffer;
      }>`
        select l.* from census_log l join census_facilities c using (facility_no) join facilities f on f.id = c.facility_id
        where f.code = ${code} order by seq`);
      expect(log.length).toBeGreaterThan(150);
      let hash = Buffer.alloc(32);
      for (const [index, row] of log.entries()) {
        expect(row.seq).toBe(index + 1);
        expect(row.prev_hash.equals(hash)).toBe(true);
        hash = nextHash(hash, row.entry) as typeof hash;
        expect(row.hash.equals(hash)).toBe(true);
        expect(JSON.parse(row.entry)).toMatchObject({ seq: row.seq, action: row.action, at: row.at.toISOString() });
        expect(CENSUS_ACTIONS).toContain(row.action);
      }
      const instants = log.map(({ at }) => at.getTime());
      expect(instants).toEqual(instants.toSorted((a, b) => a - b));
      expect(instants.at(-1)).toBeLessThan(now.getTime());
    }
    const kept = await rowsOf(sql`
      select d.census_date from facility_days d join census_log l on l.facility_no = d.facility_no and l.seq = d.log_seq
      where l.hash = d.log_hash and l.census_date = d.census_date and l.action = 'facility_day.sign'`);
    expect(kept.length).toBeGreaterThan(50);
  });

  // An error of the story ends the loading. By day one is loaded for the tests above; at night all others.
  test.each(isNightly ? daysOfFourWeeks() : [])('OPS-1 loads on any day: %s', async (date) => {
    const another = await testDatabase();
    const at = new Date(`${date}T00:05:00Z`);
    await seedDemo(another.db, { password: 'demo password', hashPassword: async () => 'a hash', now: at });
    await another.close();
  });

  test('CEN-9 has one alert that waits and one that was taken on, in the chat of those who sign; both still hold', async () => {
    const lines = await rowsOf(sql<{ sender: string; body: string; kind: string; taken_by: string | null }>`
      select u.name as sender, m.body, m.act_kind as kind, p.name as taken_by
      from census_facilities f join chats c on c.id = f.chat_id join messages m on m.chat_id = c.id
      join users u on u.id = m.sender_id
      left join census_alerts a on a.id = m.act_id left join users p on p.id = a.acknowledged_by
      where c.title = 'Census' order by m.seq`);
    const high = 'ONC 94.44 % of 18 staffed beds; high is 92 %';
    const gap = 'Transfer gap on Thu 19 Nov: SUR 2B says 2 to ONC, ONC says 1';
    const raised = { sender: 'Wardline', kind: 'census.alert' };
    expect(lines).toEqual([
      { ...raised, body: `Alert: ${high}`, taken_by: 'Owen Hart' },
      { sender: 'Owen Hart', kind: null, body: `acknowledged the alert: ${high}`, taken_by: null },
      { ...raised, body: `Alert: ${gap}`, taken_by: null },
    ]);
    const { raised: more, cleared } = await changesNow(database.db, { now, facilityNo: null });
    expect(cleared).toEqual([]);
    expect(more.map(({ rule }) => rule)).toEqual(['report_missing', 'report_missing']);
  });

  test('CEN-1 says who reports what: the charge nurse for her two wards, the house supervisor for all', async () => {
    const people = await rowsOf(sql<{ name: string; units: string[] }>`
      select p.name, array_agg(n.code order by n.position) as units
      from census_assignments a join users p on p.id = a.user_id join census_units u using (unit_no)
      join units n on n.id = u.unit_id group by p.name`);
    expect(Object.fromEntries(people.map(({ name, units }) => [name, units]))).toEqual({
      'Ana Reyes': ['MED 3A', 'SUR 2B'],
      'Kofi Danso': ['ICU'],
      'Elena Duarte': ['MAT', 'NUR'],
      'Ines Carvalho': ['PED'],
      'Clara Winther': ['ONC'],
      'Ruth Calloway': ['ED'],
      'Owen Hart': ['MED 3A', 'SUR 2B', 'ICU', 'MAT', 'NUR', 'PED', 'ONC', 'ED'],
      'Isolde Brandt': ['C', 'DAY'],
    });
    const powerless = await rowsOf(sql`
      select p.name from census_assignments a join users p on p.id = a.user_id join census_units u using (unit_no)
      where not exists (select from memberships m join membership_roles mr on mr.membership_id = m.id
        join roles r on r.id = mr.role_id
        where m.user_id = a.user_id and m.facility_id = u.facility_id and 'census.report_units' = any (r.permissions))`);
    expect(powerless).toEqual([]);
  });
});
