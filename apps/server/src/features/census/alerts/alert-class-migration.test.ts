import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type Database } from '#/platform/db/database.ts';
import { migrate } from '#/platform/db/migrate.ts';
import { createLog } from '#/platform/log.ts';
import { emptyDatabase } from '#/testing/test-database.ts';

const SCHEMA = path.join(import.meta.dirname, '../../../../db');

const facility = randomUUID();
/** Reports adults. */
const med = randomUUID();
/** Reports both classes. */
const mat = randomUUID();

let db: Database;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let before: Record<string, unknown>[];
beforeAll(async () => {
  database = await emptyDatabase();
  await migrateTo('0008');
  db = createDatabase(database.connectionString, createLog('silent'), { poolSize: 1 });
  await sql`
    with place as (
      insert into facilities (id, name, code, time_zone) values (${facility}, 'Hospital', 'SH', 'Asia/Manila') returning id)
    insert into units (id, facility_id, name, code, kind, position)
    select u.id, place.id, u.code, u.code, 'ward', 0
    from place, (values (${med}::uuid, 'MED'), (${mat}::uuid, 'MAT')) as u (id, code)`.execute(db);
  await sql`update census_units set classes = '{adult_child,newborn}' where unit_id = ${mat}`.execute(db);
  await raise({ message: 'one class', unit: med });
  await raise({ message: 'both classes', unit: mat });
  await raise({ message: 'of the unit', unit: med, rule: 'often_restated' });
  await raise({ message: 'of the facility', rule: 'over_high' });
  await raise({ message: 'cleared', unit: med, cleared: '2026-11-19T20:00:00Z' });
  before = await everyAlert();
  await migrate(database.connectionString, SCHEMA);
});
afterAll(async () => {
  await db.destroy();
  await database.close();
});

/** With the migrations up to this number alone, whose functions are those that they made themselves. */
async function migrateTo(last: string): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'wardline-migrations-'));
  const isWanted = (file: string) => !file.endsWith('.sql') || path.basename(file).slice(0, 4) <= last;
  await mkdir(path.join(folder, 'functions'));
  await cp(path.join(SCHEMA, 'migrations'), path.join(folder, 'migrations'), { recursive: true, filter: isWanted });
  try {
    await migrate(database.connectionString, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Raised {
  readonly message: string;
  readonly unit?: string;
  readonly rule?: string;
  readonly cleared?: string;
}

const raise = ({ message, unit, rule = 'report_missing', cleared }: Raised) =>
  sql`
  insert into census_alerts (id, facility_no, unit_no, census_date, rule, message, cleared_at)
  select ${randomUUID()}, f.facility_no, (select unit_no from census_units where unit_id = ${unit ?? null}),
    '2026-11-19', ${rule}, ${message}, ${cleared ?? null}
  from census_facilities f where f.facility_id = ${facility}`.execute(db);

/** Of the day on which the alerts of before were raised. */
async function everyAlert(): Promise<Record<string, unknown>[]> {
  const found = await sql<Record<string, unknown>>`
    select * from census_alerts where census_date = '2026-11-19' order by id`.execute(db);
  return found.rows;
}

it('CEN-9 1.3 alerts of before stay as they are, and know the class where their unit has but one', async () => {
  const after = await everyAlert();
  expect(Object.fromEntries(after.map(({ message, population: told }) => [message, told]))).toEqual({
    'one class': 'adult_and_child',
    'both classes': null,
    'of the unit': null,
    'of the facility': null,
    cleared: null,
  });
  expect(after.map(({ population: _told, ...row }) => row)).toEqual(before);
});

it('CEN-9 1.3 the database holds one open alert of a rule, unit and date for each class, and one of the whole unit', async () => {
  const open = (population: string | null) =>
    sql`
    insert into census_alerts (id, facility_no, unit_no, census_date, rule, message, population)
    select gen_random_uuid(), facility_no, unit_no, '2026-11-20', 'report_missing', 'missing', ${population}
    from census_units where unit_id = ${mat}`.execute(db);
  for (const population of ['adult_and_child', 'newborn', null]) {
    await open(population);
    await expect(open(population)).rejects.toMatchObject({ constraint: 'census_alerts_open_key' });
  }
  await expect(open('adult')).rejects.toMatchObject({ constraint: 'census_alerts_population_check' });
});
