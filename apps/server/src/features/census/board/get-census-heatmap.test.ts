import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { censusPlaceOf, makeEstimate, makeUnitDays, type UnitDayState } from '#/testing/factories/census.ts';
import { makeFacility } from '#/testing/factories/facilities.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';
import { getCensusHeatmap } from './get-census-heatmap.ts';
import { type Hospital, NOW, openHospital } from './testing/hospital.ts';

let database: TestDatabase;
let hospital: Hospital;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  hospital = await openHospital(database.db);
});

const heatmap = (from: string, to: string, facility = hospital.facility.id) =>
  getCensusHeatmap(hospital.ask('census.view'), { params: { facility }, query: { from, to } }, NOW);

const report = (
  unitId: string,
  days: readonly UnitDayState[],
  population: 'adult_and_child' | 'newborn' = 'adult_and_child',
) => makeUnitDays(hospital.db, { unitId, population, by: hospital.reporter, days });

describe('the heat map', () => {
  it('CEN-5 has a number a day that was handed in and null for every other, each with its letter', async () => {
    const { db, reporter } = hospital;
    const { name: reporterName } = await db
      .selectFrom('users')
      .select('name')
      .where('id', '=', reporter)
      .executeTakeFirstOrThrow();
    const unit = await hospital.unit('MED');
    const { facility_no, unit_no } = await censusPlaceOf(db, unit);
    const { rows } = await sql<{ no: number }>`
      insert into census_restatements (facility_no, unit_no, population, from_date, reason_code, reason, created_by)
      values (${facility_no}, ${unit_no}, 'adult_and_child', '2026-11-12', 'miscount', 'counted twice', ${reporter})
      returning restatement_no as no`.execute(db);
    await report(unit, [
      {
        date: '2026-11-12',
        opening: 9,
        on_leave: 1,
        admissions: 1,
        discharges: 1,
        ad_same_day: 1,
        beds: 10,
        status: 'locked',
      },
      { date: '2026-11-13', opening: 0, beds: 10, restatementNo: rows[0]?.no ?? 0 },
      { date: '2026-11-14', opening: 8, beds: 10, status: 'submitted', isOnTime: false },
      { date: '2026-11-15', opening: 8, beds: 10, status: 'amending' },
      { date: '2026-11-16', opening: 8, beds: 10, status: 'draft' },
      { date: '2026-11-17', opening: 8, beds: 10, status: 'returned' },
    ]);
    await makeEstimate(db, { unitId: unit, date: '2026-11-15', census: 9, by: reporter });
    await makeEstimate(db, { unitId: unit, date: '2026-11-16', census: 9, by: reporter });
    await makeEstimate(db, { unitId: unit, date: '2026-11-18', census: 7, by: reporter, reason: 'As the day before' });
    await sql`
      update facility_days set status = 'locked', locked_at = now(), signed_at = now(), signed_by = ${reporter},
        units_expected = units_submitted
      where facility_no = ${facility_no} and census_date = '2026-11-12'`.execute(db);
    await sql`update census_units set active = '[2026-11-12,)' where facility_no = ${hospital.facilityNo}`.execute(db);
    const { units, bands, days } = await heatmap('2026-11-11', '2026-11-21');
    expect(bands).toEqual({ target: 85, high: 92, full: 100 });
    expect(days).toBe('olooooooooo');
    expect(units).toEqual([
      {
        unit_id: unit,
        unit_code: 'MED',
        unit_name: 'Unit MED',
        population: 'adult_and_child',
        counts_in_occupancy: true,
        service_days: [null, 9, 0, 8, 8, null, null, null, null, null, null],
        present: [null, 8, 0, 8, 8, null, null, null, null, null, null],
        bed_days: [null, 10, 10, 10, 10, null, null, null, null, null, null],
        marks: '-lassemem--',
        restated: [2],
        late: [3],
        estimates: [
          { index: 5, census: 9, by: reporterName, reason: 'Phoned the ward' },
          { index: 7, census: 7, by: reporterName, reason: 'As the day before' },
        ],
      },
    ]);
  });

  it('CEN-5 keeps units and newborns apart, gives boarders no beds, and takes and names the facility’s denominator', async () => {
    const { db } = hospital;
    const [obs, boarders] = [await hospital.unit('OBS'), await hospital.unit('ED')];
    await sql`update census_units set populations = '{adult_and_child,newborn}' where unit_id = ${obs}`.execute(db);
    await sql`update census_units set counts_in_occupancy = false where unit_id = ${boarders}`.execute(db);
    await sql`update census_facilities set denominator = 'licensed' where facility_no = ${hospital.facilityNo}`.execute(
      db,
    );
    await report(obs, [{ date: '2026-11-19', opening: 20, beds: 24, licensed: 26 }]);
    await report(obs, [{ date: '2026-11-19', opening: 12, beds: 16 }], 'newborn');
    await report(boarders, [{ date: '2026-11-19', opening: 6, beds: 4 }]);
    const { units, denominator } = await heatmap('2026-11-19', '2026-11-19');
    expect(denominator).toBe('licensed');
    expect(units.map((row) => [row.unit_code, row.population, row.service_days[0], row.bed_days[0]])).toEqual([
      ['OBS', 'adult_and_child', 20, 26],
      ['OBS', 'newborn', 12, 16],
      ['ED', 'adult_and_child', 6, 0],
    ]);
  });

  it('CEN-5 a population that a unit no longer reports stays in its past and is not expected', async () => {
    const unit = await hospital.unit('OBS');
    await sql`update census_units set populations = '{adult_and_child,newborn}' where facility_no = ${hospital.facilityNo}`.execute(
      hospital.db,
    );
    await report(unit, [{ date: '2026-11-17', opening: 3 }], 'newborn');
    await sql`update census_units set populations = '{adult_and_child}' where facility_no = ${hospital.facilityNo}`.execute(
      hospital.db,
    );
    const { units } = await heatmap('2026-11-17', '2026-11-19');
    expect(units.map((row) => [row.population, row.marks, row.present])).toEqual([
      ['adult_and_child', 'mmm', [null, null, null]],
      ['newborn', 'a--', [3, null, null]],
    ]);
  });

  it('CEN-5 goes over a leap day and over a year, and refuses more than 400 days', async () => {
    await hospital.unit('MED');
    const { units } = await heatmap('2027-12-31', '2028-12-31');
    expect(units[0]?.marks).toHaveLength(367);
    expect((await heatmap('2025-10-16', '2026-11-19')).units[0]?.marks).toBe('m'.repeat(400));
    await expect(heatmap('2025-10-15', '2026-11-19')).rejects.toMatchObject({
      status: 422,
      fields: { to: ['A range has at most 400 days.'] },
    });
    await expect(heatmap('2026-11-19', '2026-11-18')).rejects.toMatchObject({
      fields: { to: ['The range ends before it begins.'] },
    });
  });
});

describe('who may see it', () => {
  it('CEN-5 A16 the heat map is for those who may view the census or compile it; elsewhere there is no facility, and of it no word', async () => {
    const { db } = hospital;
    const query = { from: '2026-11-19', to: '2026-11-19' };
    const ask = (ctx: ReturnType<Hospital['ask']>) =>
      getCensusHeatmap(ctx, { params: { facility: hospital.facility.id }, query }, NOW);
    await expect(ask(hospital.ask('census.logs'))).rejects.toMatchObject({ code: 'forbidden' });
    await expect(ask(hospital.ask('census.report_summary'))).resolves.toMatchObject(query);
    const other = await makeFacility(db);
    await db
      .insertInto('units')
      .values({
        id: crypto.randomUUID(),
        facility_id: other.id,
        name: 'MARKER',
        code: 'MARKER',
        kind: 'ward',
        position: 0,
      })
      .execute();
    await expect(heatmap(query.from, query.to, other.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(JSON.stringify(await ask(hospital.ask('census.view')))).not.toContain('MARKER');
  });
});
