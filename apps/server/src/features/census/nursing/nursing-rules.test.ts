import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { censusPlaceOf } from '#/testing/factories/census.ts';
import { makeFacility, makeUnit } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';

let database: TestDatabase;
let row: Record<string, unknown>;
let elsewhere: number;
beforeAll(async () => {
  database = await testDatabase();
  const { db } = database;
  const [here, there] = [await makeFacility(db), await makeFacility(db)];
  const place = await censusPlaceOf(db, await makeUnit(db, { facilityId: here.id, name: 'MED', code: 'MED' }));
  elsewhere = (await censusPlaceOf(db, await makeUnit(db, { facilityId: there.id, name: 'MED', code: 'MED' })))
    .facility_no;
  const { id: entered_by } = await makeUser(db);
  row = {
    facility_no: place.facility_no,
    unit_no: place.unit_no,
    month: '2026-10-01',
    rn_hours: '3120.25',
    other_hours: '940',
    entered_by,
  };
});
afterAll(() => database.close());

/** Which constraint, or else which state of SQL, refused the row with these changes; null where it was taken. */
async function refusal(changed: Record<string, unknown> = {}): Promise<string | null> {
  const all = { ...row, ...changed };
  const columns = sql.join(Object.keys(all).map((name) => sql.ref(name)));
  try {
    await sql`insert into nursing_hours (${columns}) values (${sql.join(Object.values(all))})`.execute(database.db);
    return null;
  } catch (error) {
    const { constraint, code } = error as { constraint?: string; code?: string };
    return constraint ?? code ?? String(error);
  }
}

it('CEN-6 nursing hours are kept to the hundredth, once for a unit and month', async () => {
  expect(await refusal()).toBeNull();
  const stored = await sql`select rn_hours::text, other_hours::text, version from nursing_hours`.execute(database.db);
  expect(stored.rows).toEqual([{ rn_hours: '3120.25', other_hours: '940.00', version: 1 }]);
  expect(await refusal()).toBe('nursing_hours_pkey');
  expect(await refusal({ month: '2026-09-01', rn_hours: null, other_hours: null })).toBeNull();
});

it('CEN-6 A16 the database holds hours between nothing and what can be, of a month, in the unit’s own facility', async () => {
  const month = '2026-08-01';
  expect(await refusal({ month, rn_hours: '-0.01' })).toBe('nursing_hours_rn_hours_check');
  expect(await refusal({ month, rn_hours: '250000.01' })).toBe('nursing_hours_rn_hours_check');
  expect(await refusal({ month, other_hours: '-1' })).toBe('nursing_hours_other_hours_check');
  expect(await refusal({ month, rn_hours: 'NaN' })).toBe('nursing_hours_rn_hours_check');
  expect(await refusal({ month: '2026-08-02' })).toBe('nursing_hours_month_check');
  expect(await refusal({ month, version: 0 })).toBe('nursing_hours_version_check');
  expect(await refusal({ month, note: '' })).toBe('nursing_hours_note_check');
  expect(await refusal({ month, facility_no: elsewhere })).toBe('nursing_hours_unit_no_facility_no_fkey');
  expect(await refusal({ month, entered_by: null })).toBe('23502');
});
