import { datesFrom } from '@wardline/census/calendar.ts';
import { type MeasureName, measuresOf, noSums } from '@wardline/census/measures.ts';
import type { CensusSummary, SummaryStep, Sums } from '@wardline/contract/census/summary.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeUnitDays, type UnitDayState } from '#/testing/factories/census.ts';
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

describe('exact sums', () => {
  it('CEN-6 the facility of MED and SUR closes with 41, and what left one came to the other', async () => {
    const [med, sur] = [await hospital.unit('MED'), await hospital.unit('SUR')];
    const date = '2026-11-19';
    await report(med, [
      { date, opening: 24, admissions: 5, transfers_in: 1, discharges: 4, deaths: 1, transfers_out: 3, beds: 28 },
    ]);
    await report(sur, [
      { date, opening: 18, admissions: 2, transfers_in: 3, discharges: 3, transfers_out: 1, beds: 20 },
    ]);
    const { total, units } = await summary(date, date);
    expect(total.adult_and_child).toEqual({
      ...noSums(1),
      units_expected: 2,
      units_reported: 2,
      units_on_time: 2,
      census_days: 41,
      service_days: 41,
      occupancy_service_days: 41,
      occupancy_separations: 8,
      bed_days: 48,
      // No plan says how many are licensed.
      licensed_bed_days: 0,
      staffed_bed_days: 48,
      admissions: 7,
      transfers_in: 4,
      transfers_out: 4,
      discharges: 7,
      deaths: 1,
      separation_reports: 2,
    });
    expect(units.map(({ unit_code, sums }) => [unit_code, sums.census_days])).toEqual([
      ['MED', 22],
      ['SUR', 19],
    ]);
    expect(measure(total.adult_and_child, 'alos_estimated')).toBe('5.13');
    expect(measure(total.adult_and_child, 'gross_death_rate')).toBe('12.50');
    expect(measure(total.adult_and_child, 'churn')).toBe('0.56');
  });

  it.each([
    ['2028-02-01', '2028-02-29', 29, '90.00', '9.00'],
    ['2027-02-01', '2027-02-28', 28, '93.21', '9.32'],
  ])(
    'CEN-6 261 service days in 10 beds from %s to %s are divided by the days there are',
    async (from, to, days, occupancy, average) => {
      const unit = await hospital.unit('MED');
      const dates = datesFrom(from, to);
      const full = every(dates, { opening: 9, beds: 10 });
      // 29 × 9 is 261; 28 days need nine more.
      await report(
        unit,
        full.map((day, index) => (index < 261 - 9 * days ? { ...day, opening: 10 } : day)),
      );
      const { total } = await summary(from, to, 'total', new Date(`${to.slice(0, 4)}-06-01T00:00:00Z`));
      expect(total.adult_and_child).toMatchObject({ days, service_days: 261, bed_days: 10 * days });
      expect(measure(total.adult_and_child, 'occupancy')).toBe(occupancy);
      expect(measure(total.adult_and_child, 'average_daily_census')).toBe(average);
    },
  );

  it('CEN-6 more patients than beds make more than 100 per cent, in months and over the half-year alike', async () => {
    const unit = await hospital.unit('MED');
    const dates = datesFrom('2026-01-01', '2026-06-30');
    const days = every(dates, { opening: 153, beds: 150 }).map((day, index) =>
      index < 120 ? { ...day, opening: 154 } : day,
    );
    await report(unit, days);
    const { total, steps } = await summary('2026-01-01', '2026-06-30', 'month');
    expect(total.adult_and_child).toMatchObject({ days: 181, service_days: 27_813, bed_days: 27_150 });
    expect(measure(total.adult_and_child, 'occupancy')).toBe('102.44');
    expect(measure(total.adult_and_child, 'average_daily_census')).toBe('153.66');
    expect(measure(total.adult_and_child, 'turnover_interval')).toBeNull();
    expect(steps.map(({ sums }) => sums.adult_and_child.service_days)).toEqual([4774, 4312, 4774, 4620, 4743, 4590]);
    expect(steps.reduce((sum, step) => sum + step.sums.adult_and_child.service_days, 0)).toBe(27_813);
  });

  it('CEN-6 9 of 10 and 10 of 40 beds are 38.00 per cent of 50, not the mean of two percentages', async () => {
    const [small, large] = [await hospital.unit('ICU'), await hospital.unit('MED')];
    await report(small, [{ date: '2026-11-19', opening: 9, beds: 10 }]);
    await report(large, [{ date: '2026-11-19', opening: 10, beds: 40 }]);
    const { total } = await summary('2026-11-19', '2026-11-19');
    expect(measure(total.adult_and_child, 'occupancy')).toBe('38.00');
  });

  it('CEN-6 newborns stand apart, with their own beds', async () => {
    const unit = await hospital.unit('OBS');
    await sql`update census_units set populations = '{adult_and_child,newborn}' where facility_no = ${hospital.facilityNo}`.execute(
      hospital.db,
    );
    await report(unit, [{ date: '2026-11-19', opening: 20, beds: 24 }]);
    await report(
      unit,
      [{ date: '2026-11-19', opening: 12, births: 4, discharges: 5, transfers_out: 1, beds: 16 }],
      'newborn',
    );
    const { total, units } = await summary('2026-11-19', '2026-11-19', 'day');
    expect(total.adult_and_child).toMatchObject({ census_days: 20, bed_days: 24, births: 0, units_expected: 1 });
    expect(total.newborn).toMatchObject({ census_days: 10, bed_days: 16, births: 4, units_expected: 1 });
    expect(units.map((unit) => [unit.population, unit.sums.census_days])).toEqual([
      ['adult_and_child', 20],
      ['newborn', 10],
    ]);
  });

  it('CEN-6 a closed unit has no bed days and no occupancy, and boarders count as patients but in no bed', async () => {
    const [closed, boarders] = [await hospital.unit('OLD'), await hospital.unit('ED')];
    await sql`update census_units set counts_in_occupancy = false where unit_id = ${boarders}`.execute(hospital.db);
    await report(closed, [{ date: '2026-11-19', opening: 0, beds: 0 }]);
    await report(boarders, [{ date: '2026-11-19', opening: 6, beds: 4 }]);
    const { total } = await summary('2026-11-19', '2026-11-19');
    expect(total.adult_and_child).toMatchObject({ service_days: 6, occupancy_service_days: 0, bed_days: 0 });
    expect(measure(total.adult_and_child, 'occupancy')).toBeNull();
    expect(measure(total.adult_and_child, 'average_daily_census')).toBe('6.00');
  });

  it.each([
    ['a whole month', '2026-10-01', '2026-10-31', 31],
    ['two days', '2026-10-01', '2026-10-02', 2],
  ])('CEN-6 boarders who leave turn over no bed, over %s', async (_, from, to, days) => {
    const [beds, boarders] = [await hospital.unit('MED'), await hospital.unit('ED')];
    await sql`update census_units set counts_in_occupancy = false where unit_id = ${boarders}`.execute(hospital.db);
    const date = '2026-10-01';
    await report(beds, [{ date, opening: 12, discharges: 3, deaths: 1, beds: 10 }]);
    await report(boarders, [{ date, opening: 6, discharges: 2, beds: 0 }]);
    const { total, units, steps } = await summary(from, to, 'month');
    const sums = { discharges: 5, deaths: 1, occupancy_separations: 4 };
    expect(total.adult_and_child).toMatchObject(sums);
    expect(steps[0]?.sums.adult_and_child).toMatchObject(sums);
    expect(units.map((unit) => [unit.unit_code, unit.sums.occupancy_separations])).toEqual([
      ['MED', 4],
      ['ED', 0],
    ]);
    // 4 of 10 beds in the one day that was reported.
    expect(measure(total.adult_and_child, 'turnover_direct')).toBe((0.4 * days).toFixed(2));
    expect(measure(total.adult_and_child, 'turnover_indirect_estimated')).toBe((0.4 * days).toFixed(2));
    expect(measure(total.adult_and_child, 'turnover_interval')).toBe('0.50');
    expect(units.map((unit) => measure(unit.sums, 'turnover_interval'))).toEqual(['0.50', null]);
  });

  it('CEN-6 the denominator is the one that the facility has chosen', async () => {
    const unit = await hospital.unit('MED');
    await report(unit, [{ date: '2026-11-19', opening: 9, beds: 10, licensed: 12 }]);
    await sql`update census_facilities set denominator = 'licensed' where facility_no = ${hospital.facilityNo}`.execute(
      hospital.db,
    );
    const { total, denominator } = await summary('2026-11-19', '2026-11-19');
    expect(denominator).toBe('licensed');
    expect(total.adult_and_child).toMatchObject({ bed_days: 12, staffed_bed_days: 10 });
    expect(measure(total.adult_and_child, 'occupancy')).toBe('75.00');
  });
});

describe('licensed beds', () => {
  const plan = (unitId: string, valid: string, licensed: number) =>
    sql`insert into bed_complements (facility_no, unit_no, population, valid, licensed, physical, staffed)
      select facility_no, unit_no, 'adult_and_child', ${valid}::daterange, ${licensed}, ${licensed}, 2
      from census_units where unit_id = ${unitId}`.execute(hospital.db);

  it('F-N7 CEN-6 are a fact of each date, whatever was reported, and change where the plan does', async () => {
    const [med, sur, boarders] = [await hospital.unit('MED'), await hospital.unit('SUR'), await hospital.unit('ED')];
    await sql`update census_units set counts_in_occupancy = false where unit_id = ${boarders}`.execute(hospital.db);
    await plan(med, '[,2026-11-10)', 10);
    await plan(med, '[2026-11-10,)', 12);
    await plan(sur, '[,)', 20);
    await plan(boarders, '[,)', 4);
    const before = await summary('2026-11-01', '2026-11-19', 'day');
    expect(before.total.adult_and_child).toMatchObject({
      units_reported: 0,
      licensed_bed_days: 9 * 10 + 10 * 12 + 19 * 20,
    });
    await report(med, [{ date: '2026-11-19', opening: 9, beds: 8, licensed: 12 }]);
    const { total, units, steps } = await summary('2026-11-01', '2026-11-19', 'day');
    expect(total.adult_and_child.licensed_bed_days).toBe(before.total.adult_and_child.licensed_bed_days);
    expect(units.map(({ unit_code, sums }) => [unit_code, sums.licensed_bed_days])).toEqual([
      ['MED', 210],
      ['SUR', 380],
      ['ED', 0],
    ]);
    expect(steps.map(({ sums }) => sums.adult_and_child.licensed_bed_days)).toEqual([
      ...Array(9).fill(30),
      ...Array(10).fill(32),
    ]);
    expect((await summary('2026-11-19', '2026-11-25')).total.adult_and_child.licensed_bed_days).toBe(32);
  });
});

describe('periods', () => {
  it('CEN-6 days, months, quarters and years of a range that cuts them all add up to the same', async () => {
    const unit = await hospital.unit('MED');
    const days = datesFrom('2024-12-20', '2026-02-10').map((date, index) => ({
      date,
      opening: 10 + (index % 5),
      admissions: index % 3,
      ad_same_day: 0,
      beds: 20,
      isOnTime: index % 4 !== 0,
    }));
    await report(unit, days);
    const inRange = days.filter(({ date }) => date >= '2024-12-25' && date <= '2026-01-05');
    const expected = {
      days: inRange.length,
      units_expected: inRange.length,
      units_reported: inRange.length,
      units_on_time: inRange.filter(({ isOnTime }) => isOnTime).length,
      service_days: inRange.reduce((sum, day) => sum + day.opening + day.admissions, 0),
      admissions: inRange.reduce((sum, day) => sum + day.admissions, 0),
      bed_days: inRange.length * 20,
    };
    for (const by of ['total', 'day', 'month', 'quarter', 'year'] as const) {
      const { total, steps } = await summary('2024-12-25', '2026-01-05', by);
      expect(total.adult_and_child, by).toMatchObject(expected);
      const sums = steps.map((step) => step.sums.adult_and_child);
      for (const name of Object.keys(expected) as (keyof typeof expected)[]) {
        expect(
          sums.reduce((sum, step) => sum + step[name], 0),
          `${name} by ${by}`,
        ).toBe(expected[name]);
      }
    }
    const { steps } = await summary('2024-12-25', '2026-01-05', 'quarter');
    expect(steps.map(({ from, to }) => `${from} ${to}`)).toEqual([
      '2024-12-25 2024-12-31',
      '2025-01-01 2025-03-31',
      '2025-04-01 2025-06-30',
      '2025-07-01 2025-09-30',
      '2025-10-01 2025-12-31',
      '2026-01-01 2026-01-05',
    ]);
  });

  it('CEN-6 days that have not been counted yet are neither divided by nor expected nor missing', async () => {
    const unit = await hospital.unit('MED');
    await report(unit, every(datesFrom('2026-11-01', '2026-11-18'), { opening: 9, beds: 10 }));
    const { total, steps, missing } = await summary('2026-11-01', '2026-11-30', 'day');
    expect(total.adult_and_child).toMatchObject({ days: 19, units_expected: 19, units_reported: 18 });
    expect(missing.map(({ census_date }) => census_date)).toEqual(['2026-11-19']);
    expect(steps).toHaveLength(30);
    expect(steps[19]).toMatchObject({ from: '2026-11-20', sums: { adult_and_child: { days: 0, units_expected: 0 } } });
    const future = await summary('2026-12-01', '2026-12-31', 'month');
    expect(future.total.adult_and_child).toMatchObject({ days: 0, units_expected: 0 });
    expect(future.missing).toEqual([]);
  });

  it('CEN-6 a day carries the status of the facility’s day', async () => {
    const unit = await hospital.unit('MED');
    await report(unit, every(['2026-11-18', '2026-11-19'], { opening: 9 }));
    await sql`
      update facility_days set status = 'locked', signed_by = ${hospital.reporter}, signed_at = now(), locked_at = now()
      where facility_no = ${hospital.facilityNo} and census_date = '2026-11-18'`.execute(hospital.db);
    const { steps } = await summary('2026-11-17', '2026-11-19', 'day');
    expect(steps.map(({ status }) => status)).toEqual([null, 'locked', 'open']);
  });

  it.each([
    ['2026-11-19', '2026-11-18', 'total', 'to'],
    ['2016-01-01', '2026-02-18', 'total', 'to'],
    ['1899-12-31', '1900-01-01', 'total', 'from'],
    ['2999-12-01', '3000-01-01', 'total', 'to'],
    ['2023-01-01', '2026-01-05', 'day', 'by'],
  ] as const)('CEN-6 refuses the range from %s to %s by %s', async (from, to, by, field) => {
    await expect(summary(from, to, by)).rejects.toMatchObject({
      status: 422,
      fields: { [field]: [expect.any(String)] },
    });
  });

  it('CEN-6 takes ten years, leap days included', async () => {
    await hospital.unit('MED');
    const { steps } = await summary('2016-01-01', '2026-02-16', 'year');
    expect(steps.map(({ sums }) => sums.adult_and_child.days)).toEqual([
      366, 365, 365, 365, 366, 365, 365, 365, 366, 365, 47,
    ]);
  });
});
