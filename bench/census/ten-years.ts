import { SUMMED_FIELDS, type SummedField } from '@wardline/contract/census/census.ts';
import type pg from 'pg';

/** What is made: hospitals of 30 units that report every day of ten years. */
export interface Extent {
  readonly facilities: number;
  readonly units: number;
  readonly from: string;
  readonly to: string;
}

/** Hospitals whose rows are made in one transaction, so that an interrupted run goes on where it stopped. */
const BATCH = 10;
const LOADED = ['unit_census', 'unit_transfers'];

type Say = (line: string) => void;

/**
 * Fills a migrated database, set by set. Keys and indexes of the two large tables are taken off before and made after, as
 * their definitions in the migrations say; every CHECK stays. May be called again after an interruption.
 */
export async function makeTenYears(client: pg.Client, extent: Extent, say: Say): Promise<void> {
  await client.query(`
    create table if not exists bench_done (step text primary key);
    create table if not exists bench_later (no integer generated always as identity, statement text not null)`);
  await client.query(`set maintenance_work_mem = '1GB'; set work_mem = '256MB'; set synchronous_commit = off`);
  await once(client, 'hospitals', () => makeHospitals(client, extent));
  await once(client, 'bare tables', () => takeOffKeys(client));
  const batches = Array.from({ length: Math.ceil(extent.facilities / BATCH) }, (_, index) => index * BATCH + 1);
  for (const first of batches) {
    const range = [first, first + BATCH - 1] as const;
    await once(client, `rows ${first}`, () => makeReports(client, extent, range));
    say(`reports of ${Math.min(range[1], extent.facilities)} of ${extent.facilities} hospitals`);
  }
  await putOnKeys(client, say, 'index');
  await once(client, 'analyze', () => client.query('analyze'));
  for (const first of batches) {
    const range = [first, first + BATCH - 1] as const;
    await once(client, `sums ${first}`, () => makeSums(client, range));
    say(`sums of ${Math.min(range[1], extent.facilities)} of ${extent.facilities} hospitals`);
  }
  await putOnKeys(client, say, 'foreign key');
  if (!(await isDone(client, 'vacuum'))) {
    await client.query('vacuum (analyze)');
    await client.query(`insert into bench_done values ('vacuum')`);
  }
}

async function isDone(client: pg.Client, step: string): Promise<boolean> {
  const { rows } = await client.query('select from bench_done where step = $1', [step]);
  return rows.length > 0;
}

async function once(client: pg.Client, step: string, make: () => Promise<unknown>): Promise<void> {
  if (await isDone(client, step)) return;
  await client.query('begin');
  await make();
  await client.query('insert into bench_done values ($1)', [step]);
  await client.query('commit');
}

async function makeHospitals(client: pg.Client, { facilities, units }: Extent): Promise<void> {
  await client.query(
    `insert into facilities (id, name, code, time_zone)
     select gen_random_uuid(), 'Hospital ' || n, upper(to_hex(4095 + n)), 'Asia/Manila' from generate_series(1, $1::integer) n`,
    [facilities],
  );
  await client.query(
    `insert into units (id, facility_id, name, code, kind, position)
     select gen_random_uuid(), c.facility_id, 'Unit ' || n, 'U' || n, 'ward', n
     from census_facilities c cross join generate_series(1, $1::integer) n order by c.facility_no, n`,
    [units],
  );
  await client.query(`
    update census_units set active = '[2000-01-01,)';
    insert into users (id, name, email, password_hash)
      select gen_random_uuid(), 'Nurse of ' || f.name, f.id || '@people.test', '' from facilities f;
    insert into memberships (id, facility_id, user_id)
      select gen_random_uuid(), f.id, u.id from facilities f join users u on u.email = f.id || '@people.test';
    insert into census_assignments (unit_no, user_id)
      select c.unit_no, m.user_id from census_units c join memberships m on m.facility_id = c.facility_id;
    insert into bed_complements (facility_no, unit_no, valid, licensed, physical, staffed)
      select facility_no, unit_no, '[2000-01-01,)', 30, 28, 26 from census_units;
    analyze`);
}

/** The statements that put back what is taken off are kept in the order in which they must run. */
async function takeOffKeys(client: pg.Client): Promise<void> {
  const found = await client.query<{ table: string; name: string; definition: string; kind: 'p' | 'f' | 'i' }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition, contype as kind
     from pg_constraint
     where contype = 'p' and conrelid = any ($1::text[]::regclass[])
       or contype = 'f' and (conrelid = any ($1::text[]::regclass[]) or confrelid = any ($1::text[]::regclass[]))
     union all
     select tablename, indexname, indexdef, 'i' from pg_indexes
     where tablename = any ($1::text[]) and indexname not in (select conname from pg_constraint)`,
    [LOADED],
  );
  const of = (kind: 'p' | 'f' | 'i') => found.rows.filter((row) => row.kind === kind);
  for (const { table, name } of [...of('f'), ...of('p')])
    await client.query(`alter table ${table} drop constraint ${name}`);
  for (const { name } of of('i')) await client.query(`drop index ${name}`);
  const later = [
    ...of('p').map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
    ...of('i').map(({ definition }) => definition),
    ...of('f').map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
  ];
  for (const statement of later) await client.query('insert into bench_later (statement) values ($1)', [statement]);
}

async function putOnKeys(client: pg.Client, say: Say, what: 'index' | 'foreign key'): Promise<void> {
  const { rows } = await client.query<{ no: number; statement: string }>('select * from bench_later order by no');
  for (const { no, statement } of rows) {
    if (statement.includes('FOREIGN KEY') !== (what === 'foreign key')) continue;
    await once(client, `later ${no}`, () => client.query(statement));
    say(statement.slice(0, 100));
  }
}

/** What is not 0 in every report. */
const MADE: Readonly<Partial<Record<SummedField, string>>> = {
  admissions: '3 + greatest(n.change, 0)',
  transfers_in: 'n.came',
  discharges: '3 + greatest(-n.change, 0)',
  transfers_out: 'n.went',
  ad_same_day: 'n.n % 3',
};

/**
 * A unit's closing goes up and down with its number and the date; what came and went follows from it. Every seventh unit
 * sends one patient to the next. Reports of a night are stored in no order, as they arrive. On the last date the last three units of each hospital have not reported.
 */
async function makeReports(client: pg.Client, { from, to, units }: Extent, [first, last]: readonly [number, number]) {
  await client.query(
    `insert into unit_census (facility_no, unit_no, census_date, population, opening, ${SUMMED_FIELDS.join(', ')}, counted,
       beds_licensed, beds_physical, beds_staffed, beds_surge, beds_blocked, status, opening_from, is_on_time, submitted_at,
       submitted_by, approved_at, approved_by)
     select u.facility_no, u.unit_no, d.day, 'adult_and_child', n.opening,
       ${SUMMED_FIELDS.map((field) => MADE[field] ?? '0').join(', ')}, n.closing, 30, 28, 26, 0, n.n % 2,
       case when d.day = $2::date then 'submitted' else 'locked' end, d.day - 1, n.n % 20 > 0, d.day + time '16:20', r.id,
       case when d.day < $2::date then d.day + time '17:00' end, case when d.day < $2::date then r.id end
     from census_units u
     join census_facilities f using (facility_no)
     join users r on r.email = f.facility_id || '@people.test'
     cross join lateral (select 1 + (u.unit_no - 1) % $3::integer as k) k
     cross join lateral (
       select day::date, (day::date - $1::date)::integer as n from generate_series($1::date, $2::date, interval '1 day') day) d
     cross join lateral (
       select d.n, 18 + (k * 7 + d.n * 5) % 6 as closing, 18 + (k * 7 + (d.n - 1) * 5) % 6 as opening,
         case when k < $3 and (k - 1) % 7 = d.n % 7 then 1 else 0 end as went,
         case when k > 1 and (k - 2) % 7 = d.n % 7 then 1 else 0 end as came) w
     cross join lateral (select w.*, w.closing - w.opening + w.went - w.came as change) n
     where u.facility_no between $4 and $5 and (d.day < $2::date or k <= $3 - 3)
     order by d.day, hashint8(u.unit_no * 10000 + n.n)`,
    [from, to, units, first, last],
  );
  await client.query(
    `insert into unit_transfers (facility_no, census_date, from_unit, to_unit, out_count, in_count)
     select facility_no, d.day::date, u.unit_no, u.unit_no + 1, 1, 1
     from census_units u
     cross join generate_series($1::date, $2::date, interval '1 day') d(day)
     where u.facility_no between $4 and $5 and (u.unit_no - 1) % $3::integer < $3 - 1
       and (u.unit_no - 1) % $3::integer % 7 = (d.day::date - $1::date) % 7
     order by facility_no, d.day`,
    [from, to, units, first, last],
  );
}

const BEDS = ['licensed_bed_days', 'physical_bed_days', 'staffed_bed_days'];
const KEPT = [...BEDS, 'blocked_bed_days', ...SUMMED_FIELDS, 'separation_reports', 'discharge_days_reports'];
const sums = (columns: readonly string[]) => columns.map((column) => `sum(${column})`).join(', ');

/** What refresh_census_sums() makes of one unit and month, for all at once. */
async function makeSums(client: pg.Client, range: readonly [number, number]): Promise<void> {
  await client.query(
    `insert into unit_months (facility_no, unit_no, month, population, days_reported, days_on_time, census_days, service_days,
       ${KEPT.join(', ')})
     select facility_no, unit_no, date_trunc('month', census_date)::date, population, count(*), count(*) filter (where is_on_time),
       sum(closing), sum(service_days), ${sums(KEPT)}
     from reported_unit_census where facility_no between $1 and $2 group by 1, 2, 3, 4 order by 1, 2, 3`,
    [...range],
  );
  await client.query(
    `insert into facility_months (facility_no, month, population, units_reported, units_on_time, census_days, service_days,
       occupancy_service_days, occupancy_separations, occupancy_discharge_days, ${KEPT.join(', ')})
     select m.facility_no, month, population, sum(days_reported), sum(days_on_time), sum(census_days), sum(service_days),
       coalesce(sum(service_days) filter (where u.counts_in_occupancy), 0),
       coalesce(sum(discharges + deaths) filter (where u.counts_in_occupancy), 0),
       coalesce(sum(discharge_days) filter (where u.counts_in_occupancy), 0), ${sums(KEPT)}
     from unit_months m join census_units u using (unit_no) where m.facility_no between $1 and $2 group by 1, 2, 3 order by 1, 2`,
    [...range],
  );
  await client.query(
    `insert into facility_days (facility_no, census_date, time_zone, utc_offset_minutes, census_at, due_at, units_expected,
       units_submitted, units_approved, units_on_time, census_days, service_days, occupancy_service_days, licensed_bed_days,
       physical_bed_days, staffed_bed_days, status, signed_by, signed_at, locked_at)
     select r.*, case when approved = expected then 'locked' else 'open' end, p.id, census_at + interval '8 hours',
       case when approved = expected then census_at + interval '8 hours' end
     from (
       select c.facility_no, c.census_date, 'Asia/Manila', 480, c.census_date + time '16:00' as census_at,
         c.census_date + time '17:00', (select count(*) from census_units u where u.facility_no = c.facility_no) as expected,
         count(*), count(*) filter (where status = 'locked') as approved, count(*) filter (where is_on_time), sum(closing),
         sum(service_days), sum(occupancy_service_days), ${sums(BEDS)}
       from reported_unit_census c where facility_no between $1 and $2 group by 1, 2) r
     join census_facilities f using (facility_no) join users p on p.email = f.facility_id || '@people.test'
     order by 1, 2`,
    [...range],
  );
}

/** Throws where what was made for all at once is not what the product makes of one unit, month and day. */
export async function assertSums(client: pg.Client, { facilities, units, to }: Extent): Promise<void> {
  const month = `${to.slice(0, 7)}-01`;
  for (const facilityNo of [1, Math.ceil(facilities / 2), facilities]) {
    const unitNo = (facilityNo - 1) * units + 3;
    const kept = async () => {
      const { rows } = await client.query<{ sums: string }>(
        `select concat_ws('|', u::text, f::text, d::text) as sums
         from unit_months u join facility_months f using (facility_no, month, population)
         join facility_days d on d.facility_no = u.facility_no and d.census_date = $3::date
         where u.facility_no = $1 and u.unit_no = $2 and u.month = $4::date`,
        [facilityNo, unitNo, to, month],
      );
      return rows[0]?.sums;
    };
    await client.query('begin');
    const made = await kept();
    await client.query(`select refresh_census_sums($1, $2, 'adult_and_child', $3::date, $3::date)`, [
      facilityNo,
      unitNo,
      to,
    ]);
    const refreshed = await kept();
    await client.query('rollback');
    if (made === undefined || made !== refreshed) throw new Error(`sums differ:\n${made}\n${refreshed}`);
  }
}
