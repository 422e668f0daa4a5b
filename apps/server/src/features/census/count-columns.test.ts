import { PART_RULES } from '@wardline/census/part-rules.ts';
import { COUNT_FIELDS, SUMMED_FIELDS, type SummedField } from '@wardline/contract/census/census.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { censusPlaceOf, makeUnitDays } from '#/testing/factories/census.ts';
import { makeFacility, makeUnit } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase(2);
});
afterAll(() => database.close());

/** The counts that a table or view has no column of. */
async function lacking(table: string, fields: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ column: string }>`
    select attname as column from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`.execute(
    database.db,
  );
  const columns = new Set(rows.map(({ column }) => column));
  return fields.filter((field) => !columns.has(field)).map((field) => `${table} has no column ${field}`);
}

it('CEN-2 has a column of every count, and of every count that adds up where months are kept', async () => {
  expect([
    ...(await lacking('unit_census', COUNT_FIELDS)),
    // A view keeps the columns that its table had when the view was made.
    ...(await lacking('reported_unit_census', COUNT_FIELDS)),
    ...(await lacking('unit_months', SUMMED_FIELDS)),
    ...(await lacking('facility_months', SUMMED_FIELDS)),
  ]).toEqual([]);
});

it('CEN-6 refresh_census_months adds up every count under its own name, in units and in facilities', async () => {
  const { db } = database;
  const { id: by } = await makeUser(db);
  const { id: facilityId } = await makeFacility(db);
  const unitId = await makeUnit(db, { facilityId, name: 'Nursery', code: 'NUR' });
  const { facility_no } = await censusPlaceOf(db, unitId);
  // No two are alike, so that none passes for another; parts have room in their wholes.
  const parts = new Set<string>(PART_RULES.map(({ field }) => field));
  const counts = SUMMED_FIELDS.map((field, place) => [field, parts.has(field) ? place + 1 : place + 50] as const);
  const day = { opening: 500, ...(Object.fromEntries(counts) as Record<SummedField, number>) };
  await makeUnitDays(db, { unitId, by, population: 'newborn', days: [{ ...day, date: '2026-05-30' }] });
  await makeUnitDays(db, { unitId, by, population: 'newborn', days: [{ ...day, date: '2026-05-31' }] });
  for (const table of ['unit_months', 'facility_months']) {
    const { rows } = await sql<Record<string, number>>`
      select * from ${sql.table(table)} where facility_no = ${facility_no}`.execute(db);
    expect(rows, table).toHaveLength(1);
    const wrong = SUMMED_FIELDS.filter((field) => rows[0]?.[field] !== 2 * day[field]);
    expect(wrong.map((field) => `refresh_census_months() does not add up ${field} into ${table}`)).toEqual([]);
  }
});
