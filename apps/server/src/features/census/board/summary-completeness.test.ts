import { datesFrom } from '@wardline/census/calendar.ts';
import { type MeasureName, measuresOf } from '@wardline/census/measures.ts';
import type { CensusSummary, SummaryStep, Sums } from '@wardline/contract/census/summary.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  censusPlaceOf,
  makeEstimate,
  makeTransfer,
  makeUnitDays,
  type UnitDayState,
} from '#/testing/factories/census.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';
import { getCensusSummary } from './get-census-summary.ts';
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

async function summary(from: string, to: string, by?: SummaryStep, now = NOW): Promise<CensusSummary> {
  return getCensusSummary(
    hospital.ask('census.report_summary'),
    { params: { facility: hospital.facility.id }, query: { from, to, ...(by && { by }) } },
    now,
  );
}

function measure(sums: Sums, name: MeasureName): string | null {
  return measuresOf(sums).find((candidate) => candidate.name === name)?.value ?? null;
}

/** The same report on each of these dates. */
function every(dates: readonly string[], options: Omit<UnitDayState, 'date'>): UnitDayState[] {
  return dates.map((date) => ({ date, ...options }));
}

const report = (
  unitId: string,
  days: readonly UnitDayState[],
  population: 'adult_and_child' | 'newborn' = 'adult_and_child',
) => makeUnitDays(hospital.db, { unitId, population, by: hospital.reporter, days });

describe('completeness', () => {
  it('CEN-6 3.4 names what is missing, the newest first, and sums only what was handed in', async () => {
    const [med, sur] = [await hospital.unit('MED'), await hospital.unit('SUR')];
    const dates = datesFrom('2026-09-01', '2026-11-19');
    const absent = ['2026-09-12', '2026-11-03'];
    await report(
      med,
      every(
        dates.filter((date) => !absent.includes(date)),
        { opening: 9, beds: 10 },
      ),
    );
    await report(sur, [
      ...every(dates.slice(0, -2), { opening: 4, beds: 10 }),
      { date: '2026-11-18', opening: 4, beds: 10, status: 'draft' },
    ]);
    await makeEstimate(hospital.db, { unitId: sur, date: '2026-11-19', census: 4, by: hospital.reporter });
    const { total, missing } = await summary('2026-09-10', '2026-11-19', 'month');
    expect(missing.map(({ unit_code, census_date }) => `${unit_code} ${census_date}`)).toEqual([
      'SUR 2026-11-19',
      'SUR 2026-11-18',
      'MED 2026-11-03',
      'MED 2026-09-12',
    ]);
    expect(total.adult_and_child).toMatchObject({
      units_expected: 142,
      units_reported: 138,
      service_days: 9 * 69 + 4 * 69,
    });
    expect(measure(total.adult_and_child, 'completeness')).toBe('97.18');
  });

  it('CEN-6 lists at most the 100 newest missing unit-days', async () => {
    const [med, sur] = [await hospital.unit('MED'), await hospital.unit('SUR')];
    await report(med, every(datesFrom('2026-01-01', '2026-06-30'), { opening: 9 }));
    const { missing } = await summary('2026-01-01', '2026-06-30');
    expect(missing).toHaveLength(100);
    expect(missing[0]).toEqual({
      unit_id: sur,
      unit_code: 'SUR',
      population: 'adult_and_child',
      census_date: '2026-06-30',
    });
    expect(missing.at(-1)?.census_date).toBe('2026-03-23');
  });

  it('CEN-6 a unit is expected from its first day until it closes, and only if it counts in the census', async () => {
    const [med, old, store] = [await hospital.unit('MED'), await hospital.unit('OLD'), await hospital.unit('STORE')];
    await report(med, every(datesFrom('2026-11-01', '2026-11-10'), { opening: 1 }));
    await sql`update census_units set active = '[2026-11-03,2026-11-06)' where unit_id = ${old}`.execute(hospital.db);
    await sql`update census_units set counts_in_census = false where unit_id = ${store}`.execute(hospital.db);
    const { total, missing, units } = await summary('2026-11-01', '2026-11-10', 'day');
    expect(total.adult_and_child).toMatchObject({ units_expected: 13, units_reported: 10 });
    expect(missing.map(({ unit_code, census_date }) => `${unit_code} ${census_date}`)).toEqual([
      'OLD 2026-11-05',
      'OLD 2026-11-04',
      'OLD 2026-11-03',
    ]);
    expect(units.map(({ unit_code }) => unit_code)).toEqual(['MED', 'OLD']);
    const later = await summary('2026-11-06', '2026-11-10');
    expect(later.units.map(({ unit_code }) => unit_code)).toEqual(['MED']);
  });
});

describe('what was changed', () => {
  it('CEN-6 3.5 transfers are summed by side, and a gap that was accepted is told with its words and its name', async () => {
    const [med, sur] = [await hospital.unit('MED'), await hospital.unit('SUR')];
    for (const unit of [med, sur]) await report(unit, every(['2026-11-18', '2026-11-19'], { opening: 9 }));
    await makeTransfer(hospital.db, { date: '2026-11-18', from: med, to: sur, out: 3, in: 2 });
    await makeTransfer(hospital.db, { date: '2026-11-19', from: med, to: sur, out: 1, in: 1 });
    await makeTransfer(hospital.db, { date: '2026-11-19', from: sur, to: med, out: 2, in: null });
    await makeTransfer(hospital.db, { date: '2026-11-20', from: sur, to: med, out: 7, in: 7 });
    await sql`
      update facility_days set status = 'approved', transfer_gap = 1, override_reason = 'patient moved 23:58',
        signed_by = ${hospital.reporter}, signed_at = now() where facility_no = ${hospital.facilityNo} and census_date = '2026-11-18'`.execute(
      hospital.db,
    );
    await report(sur, [{ date: '2026-11-17', opening: 9 }]);
    await makeTransfer(hospital.db, { date: '2026-11-17', from: sur, to: med, out: 4, in: null });
    expect((await summary('2026-11-17', '2026-11-17')).transfers).toMatchObject([{ out_count: 4, gap: 0 }]);
    const { transfers, overrides } = await summary('2026-11-18', '2026-11-19');
    expect(transfers).toEqual([
      { from_unit_id: med, to_unit_id: sur, population: 'adult_and_child', out_count: 4, in_count: 3, gap: 1 },
      { from_unit_id: sur, to_unit_id: med, population: 'adult_and_child', out_count: 2, in_count: null, gap: 2 },
    ]);
    expect(overrides).toEqual([
      {
        census_date: '2026-11-18',
        transfer_gap: 1,
        reason: 'patient moved 23:58',
        by: { id: hospital.reporter, name: 'Ana Reyes' },
      },
    ]);
  });

  it('CEN-6 3.5 of a move a side that has not handed in its report says nothing yet, as in the sums of its unit', async () => {
    const [med, sur] = [await hospital.unit('MED'), await hospital.unit('SUR')];
    await report(med, [{ date: '2026-11-19', opening: 9, status: 'returned', transfers_in: 2 }]);
    await report(sur, [{ date: '2026-11-19', opening: 9, transfers_out: 2, transfers_in: 1 }]);
    await makeTransfer(hospital.db, { date: '2026-11-19', from: sur, to: med, out: 2, in: 2 });
    await makeTransfer(hospital.db, { date: '2026-11-19', from: med, to: sur, out: 1, in: 1 });
    expect((await summary('2026-11-01', '2026-11-19')).transfers).toEqual([
      { from_unit_id: med, to_unit_id: sur, population: 'adult_and_child', out_count: null, in_count: 1, gap: 0 },
      { from_unit_id: sur, to_unit_id: med, population: 'adult_and_child', out_count: 2, in_count: null, gap: 0 },
    ]);
  });

  it('CEN-6 CEN-3 counts what was restated, and what was opened again after its day was signed', async () => {
    const { db, reporter } = hospital;
    const unit = await hospital.unit('MED');
    const { facility_no, unit_no } = await censusPlaceOf(db, unit);
    const { rows } = await sql<{ no: number }>`
      insert into census_restatements (facility_no, unit_no, population, from_date, reason_code, reason, created_by)
      values (${facility_no}, ${unit_no}, 'adult_and_child', '2026-11-17', 'miscount', 'counted twice', ${reporter})
      returning restatement_no as no`.execute(db);
    const restatementNo = rows[0]?.no ?? 0;
    await report(unit, [
      { date: '2026-11-16', opening: 9, restatementNo },
      ...every(['2026-11-17', '2026-11-18'], { opening: 9, restatementNo }),
      { date: '2026-11-19', opening: 9 },
    ]);
    await sql`update facility_days set status = 'approved', signed_by = ${reporter}, signed_at = '2026-11-19T12:00:00Z'
      where facility_no = ${hospital.facilityNo} and census_date < '2026-11-19'`.execute(db);
    const revise = (date: string, version: number, at: string, code: string | null) =>
      sql`
      insert into unit_census_revisions (unit_no, census_date, population, version, row_data, changed_at, reason_code)
      values (${unit_no}, ${date}, 'adult_and_child', ${version}, '{}', ${at}, ${code})`.execute(db);
    await revise('2026-11-17', 1, '2026-11-19T11:00:00Z', 'miscount');
    await revise('2026-11-18', 1, '2026-11-19T13:00:00Z', 'miscount');
    await revise('2026-11-18', 2, '2026-11-19T13:01:00Z', 'other');
    await revise('2026-11-18', 3, '2026-11-19T13:02:00Z', null);
    await revise('2026-11-19', 1, '2026-11-19T13:00:00Z', 'miscount');
    const { restated_unit_days, amended_since_signed } = await summary('2026-11-17', '2026-11-19');
    expect({ restated_unit_days, amended_since_signed }).toEqual({ restated_unit_days: 2, amended_since_signed: 1 });
  });
});

describe('who may ask', () => {
  const ask = (ctx: ReturnType<Hospital['ask']>, facility = hospital.facility.id) =>
    getCensusSummary(ctx, { params: { facility }, query: { from: '2026-11-01', to: '2026-11-02' } }, NOW);

  it('CEN-6 A16 the summary is for those who report it; elsewhere there is no facility', async () => {
    await expect(ask(hospital.ask('census.view', 'census.report_units'))).rejects.toMatchObject({ code: 'forbidden' });
    const ctx = hospital.ask('census.report_summary');
    await expect(ask(ctx, crypto.randomUUID())).rejects.toMatchObject({ code: 'not_found' });
    const stranger = { ...ctx, actor: { ...ctx.actor, memberships: [] } };
    await expect(ask(stranger)).rejects.toMatchObject({ code: 'not_found' });
  });
});
