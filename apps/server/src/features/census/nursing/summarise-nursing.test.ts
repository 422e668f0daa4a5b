import { datesFrom } from '@wardline/census/calendar.ts';
import { hoursPerPatientDay } from '@wardline/census/nursing-hours.ts';
import type { NursingSummary } from '@wardline/contract/census/nursing.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { getCensusSummary } from '#/features/census/board/get-census-summary.ts';
import { type Hospital, NOW, openHospital } from '#/features/census/board/testing/hospital.ts';
import { censusPlaceOf, makeUnitDays } from '#/testing/factories/census.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';
import { storeNursingHours } from './put-nursing-hours.ts';

let database: TestDatabase;
let hospital: Hospital;
let med: string;
let icu: string;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  hospital = await openHospital(database.db);
  med = await hospital.unit('MED');
  icu = await hospital.unit('ICU');
  await sql`update census_units set active = '[2026-01-01,)' where facility_no = ${hospital.facilityNo}`.execute(
    hospital.db,
  );
});

async function nursing(from: string, to: string): Promise<NursingSummary> {
  const { id: facility } = hospital.facility;
  const asked = { params: { facility }, query: { from, to } };
  return (await getCensusSummary(hospital.ask('census.report_summary'), asked, NOW)).nursing;
}

const report = (unitId: string, [from, to]: readonly [string, string], opening: number) =>
  makeUnitDays(hospital.db, {
    unitId,
    by: hospital.reporter,
    days: datesFrom(from, to).map((date) => ({ date, opening })),
  });

async function work(unitId: string, month: string, [rn_hours, other_hours]: readonly [string | null, string | null]) {
  const { facility_no: facilityNo, unit_no: unitNo } = await censusPlaceOf(hospital.db, unitId);
  const by = { by: hospital.reporter, at: NOW, note: null };
  await hospital.db
    .transaction()
    .execute((tx) => storeNursingHours(tx, { facilityNo, unitNo, month: `${month}-01`, rn_hours, other_hours, ...by }));
}

it('CEN-6 adds hours and patient days of the unit-months that have both, and says of how many', async () => {
  await report(med, ['2026-09-01', '2026-10-31'], 20);
  await report(icu, ['2026-09-01', '2026-10-31'], 8);
  await work(med, '2026-09', ['2500', '1600.50']);
  await work(med, '2026-10', ['2600.25', null]);
  await work(icu, '2026-10', ['4000', '300']);
  const { total, units, first_month, last_month } = await nursing('2026-09-01', '2026-10-31');
  expect([first_month, last_month]).toEqual(['2026-09', '2026-10']);
  expect(total).toEqual({
    unit_months_expected: 4,
    rn: { hundredths: 910_025, patient_days: 600 + 620 + 248, unit_months: 3 },
    all: { hundredths: 840_050, patient_days: 600 + 248, unit_months: 2 },
  });
  expect([total.rn, total.all].map(hoursPerPatientDay)).toEqual(['6.20', '9.91']);
  expect(units).toMatchObject([
    { unit_id: med, sums: { unit_months_expected: 2, rn: { unit_months: 2 }, all: { hundredths: 410_050 } } },
    { unit_id: icu, sums: { unit_months_expected: 2, rn: { hundredths: 400_000, patient_days: 248 } } },
  ]);
});

it('CEN-6 counts only whole months of a range, and none that is still under way', async () => {
  await report(med, ['2026-09-01', '2026-11-19'], 20);
  for (const month of ['2026-09', '2026-10', '2026-11']) await work(med, month, ['100', '0']);
  expect(await nursing('2026-09-02', '2026-11-30')).toMatchObject({
    first_month: '2026-10',
    last_month: '2026-10',
    total: { unit_months_expected: 2, rn: { unit_months: 1, hundredths: 10_000 } },
  });
  expect(await nursing('2026-11-01', '2026-11-30')).toEqual({
    first_month: null,
    last_month: null,
    total: {
      unit_months_expected: 0,
      rn: { hundredths: 0, patient_days: 0, unit_months: 0 },
      all: { hundredths: 0, patient_days: 0, unit_months: 0 },
    },
    units: [],
  });
});

it('CEN-6 leaves a unit’s month out while one of its reports is missing: its hours are of more days', async () => {
  await report(med, ['2026-10-01', '2026-10-30'], 20);
  await work(med, '2026-10', ['2600', '0']);
  expect((await nursing('2026-10-01', '2026-10-31')).total.rn).toMatchObject({ unit_months: 0, hundredths: 0 });
  await report(med, ['2026-10-31', '2026-10-31'], 20);
  expect((await nursing('2026-10-01', '2026-10-31')).total.rn).toMatchObject({ unit_months: 1, patient_days: 620 });
});

it('CEN-6 divides by the patient days of both populations, and leaves out units without beds of their own', async () => {
  await sql`update census_units set populations = '{adult_and_child,newborn}' where unit_id = ${med}`.execute(
    hospital.db,
  );
  await sql`update census_units set counts_in_occupancy = false where unit_id = ${icu}`.execute(hospital.db);
  await report(med, ['2026-10-01', '2026-10-31'], 10);
  await makeUnitDays(hospital.db, {
    unitId: med,
    by: hospital.reporter,
    population: 'newborn',
    days: datesFrom('2026-10-01', '2026-10-31').map((date) => ({ date, opening: 4 })),
  });
  await work(med, '2026-10', ['2000', '500']);
  await work(icu, '2026-10', ['4000', '0']);
  expect((await nursing('2026-10-01', '2026-10-31')).total).toMatchObject({
    unit_months_expected: 1,
    all: { hundredths: 250_000, patient_days: 14 * 31 },
  });
});
