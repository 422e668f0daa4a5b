import { addDays, datesFrom } from '@wardline/census/calendar.ts';
import { forecast } from '@wardline/census/forecast/forecast.ts';
import type { ForecastSeries } from '@wardline/contract/census/board.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeEstimate, makeUnitDays, type UnitDayState } from '#/testing/factories/census.ts';
import { makeFacility } from '#/testing/factories/facilities.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';
import { getCensusForecast } from './get-census-forecast.ts';
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

const NEWEST = '2026-11-19';
const ask = (facility = hospital.facility.id) =>
  getCensusForecast(hospital.ask('census.view'), { params: { facility } }, NOW);

const report = (
  unitId: string,
  days: readonly UnitDayState[],
  population: 'adult_and_child' | 'newborn' = 'adult_and_child',
) => makeUnitDays(hospital.db, { unitId, population, by: hospital.reporter, days });

/** Reports of the last days, one patient on leave in each. */
function lastDays(count: number, present: (index: number) => number, beds = 28): UnitDayState[] {
  return datesFrom(addDays(NEWEST, 1 - count), NEWEST).map((date, index) => ({
    date,
    opening: present(index) + 1,
    on_leave: 1,
    beds,
  }));
}

/** Staffed beds between two dates, the second not included. */
async function plan(unitId: string, [from, until]: readonly [string | null, string | null], staffed: number) {
  await sql`
    insert into bed_complements (facility_no, unit_no, valid, licensed, physical, staffed)
    select facility_no, unit_no, daterange(${from}::date, ${until}::date), ${staffed}, ${staffed}, ${staffed}
    from census_units where unit_id = ${unitId}`.execute(hospital.db);
}
const bedsAhead = (one: ForecastSeries | undefined) => one?.points.map(({ beds }) => beds);
const week = (beds: number | null) => Array.from({ length: 7 }, () => beds);

const wave = (index: number) => 20 + ([0, 2, 3, 3, 1, -4, -5][index % 7] ?? 0);

describe('the forecast', () => {
  it('CEN-9 is that of those present in the last 400 days, for the facility and for each unit by itself', async () => {
    const [med, sur] = [await hospital.unit('MED'), await hospital.unit('SUR')];
    await report(med, lastDays(450, wave));
    await report(
      sur,
      lastDays(70, (index) => 10 + (index % 3), 14),
    );
    await sql`update census_units set active = daterange(${addDays(NEWEST, -69)}, null) where unit_id = ${sur}`.execute(
      hospital.db,
    );
    const { series, from } = await ask();
    expect(from).toBe('2026-11-20');
    expect(series.map((one) => [one.unit_code, bedsAhead(one)])).toEqual([
      [null, week(42)],
      ['MED', week(28)],
      ['SUR', week(14)],
    ]);
    const expected = forecast(Array.from({ length: 400 }, (_, index) => wave(index + 50)));
    if (typeof expected === 'string') throw new Error(expected);
    const { points, improvement: _, ...measured } = expected;
    const [whole, ofMed] = series;
    expect(ofMed).toMatchObject({ ...measured, absent_because: null, population: 'adult_and_child' });
    expect(ofMed?.points).toEqual(
      points.map((point, index) => ({ census_date: addDays('2026-11-20', index), ...point, beds: 28, outside: null })),
    );
    expect(ofMed?.history).toHaveLength(56);
    expect(ofMed?.history.at(-1)).toEqual({ census_date: NEWEST, present: wave(449), beds: 28 });
    expect(whole?.history.at(-1)).toEqual({ census_date: NEWEST, present: wave(449) + 10, beds: 42 });
  });

  it('CEN-9 a day on which a unit is missing is unknown for the facility, and an estimate is nobody’s count', async () => {
    const [med, sur] = [await hospital.unit('MED'), await hospital.unit('SUR')];
    await report(med, lastDays(40, wave));
    await report(sur, lastDays(40, () => 8).slice(0, 38));
    await makeEstimate(hospital.db, { unitId: sur, date: '2026-11-18', census: 8, by: hospital.reporter });
    const { series } = await ask();
    expect(series[0]?.history.slice(-3).map(({ beds }) => beds)).toEqual([56, null, null]);
    expect(series.map(({ history }) => history.slice(-3).map(({ present }) => present))).toEqual([
      [wave(37) + 8, null, null],
      [wave(37), wave(38), wave(39)],
      [8, null, null],
    ]);
  });

  it('CEN-9 says why there is none: fewer than 28 days, or fewer than nine of ten reported', async () => {
    const [young, gappy] = [await hospital.unit('NEW'), await hospital.unit('GAP')];
    await report(young, lastDays(27, wave));
    await report(
      gappy,
      lastDays(100, wave).filter((_, index) => index % 8 > 0),
    );
    const { series } = await ask();
    expect(series.map(({ unit_code, method, absent_because }) => [unit_code, method, absent_because])).toEqual([
      [null, null, 'too_short'],
      ['NEW', null, 'too_short'],
      ['GAP', null, 'too_incomplete'],
    ]);
    expect(series[1]).toMatchObject({ points: [], mae: null, mase: null, coverage: null, test_days: 0 });
  });

  it('CEN-9 newborns are forecast apart, and a closed unit has no coming days', async () => {
    const [obs, old] = [await hospital.unit('OBS'), await hospital.unit('OLD')];
    await sql`update census_units set populations = '{adult_and_child,newborn}' where unit_id = ${obs}`.execute(
      hospital.db,
    );
    await report(obs, lastDays(60, wave));
    await report(
      obs,
      lastDays(60, (index) => wave(index) - 12, 16),
      'newborn',
    );
    await report(old, lastDays(60, () => 5).slice(0, 30));
    await sql`update census_units set active = daterange(null, ${addDays(NEWEST, -29)}) where unit_id = ${old}`.execute(
      hospital.db,
    );
    const { series } = await ask();
    expect(series.map((one) => [one.unit_code, one.population, bedsAhead(one)])).toEqual([
      [null, 'adult_and_child', week(28)],
      [null, 'newborn', week(16)],
      ['OBS', 'adult_and_child', week(28)],
      ['OBS', 'newborn', week(16)],
    ]);
    expect(series[0]?.history[0]?.present).toBe(wave(4) + 5);
    expect(series[0]?.history.at(-1)?.present).toBe(wave(59));
  });

  it('CEN-9 what is expected stands beside staffed beds, whatever beds occupancy is a share of', async () => {
    await sql`update census_facilities set denominator = 'licensed' where facility_no = ${hospital.facilityNo}`.execute(
      hospital.db,
    );
    const unit = await hospital.unit('MED');
    await report(
      unit,
      lastDays(28, wave).map((day) => ({ ...day, beds: 24, licensed: 30 })),
    );
    const { series } = await ask();
    expect(series.map(bedsAhead)).toEqual([week(24), week(24)]);
    expect(series.map(({ history }) => history.at(-1)?.beds)).toEqual([24, 24]);
  });

  it('CEN-9 a planned change of beds counts from its day on, for its unit and for the facility', async () => {
    const [med, sur] = [await hospital.unit('MED'), await hospital.unit('SUR')];
    await report(med, lastDays(40, wave));
    await report(sur, lastDays(40, wave, 20));
    await plan(med, [null, '2026-11-23'], 28);
    await plan(med, ['2026-11-23', '2026-11-25'], 0);
    await plan(med, ['2026-11-25', null], 30);
    const { series } = await ask();
    expect(series.map(bedsAhead)).toEqual([[48, 48, 48, 20, 20, 50, 50], [28, 28, 28, 0, 0, 30, 30], week(20)]);
    expect(series[0]?.history.at(-1)?.beds).toBe(48);
  });

  it('CEN-9 beds come with a unit that opens and go with one that closes, whose days end there', async () => {
    const [med, old, next] = [await hospital.unit('MED'), await hospital.unit('OLD'), await hospital.unit('NEW')];
    await report(med, lastDays(40, wave));
    await report(
      old,
      lastDays(40, () => 5, 8),
    );
    await plan(next, [null, null], 6);
    const active = (unit: string, range: string) =>
      sql`update census_units set active = ${range}::daterange where unit_id = ${unit}`.execute(hospital.db);
    await active(old, '(,2026-11-22)');
    await active(next, '[2026-11-24,)');
    const { series } = await ask();
    expect(series.map((one) => [one.unit_code, bedsAhead(one)])).toEqual([
      [null, [36, 36, 28, 28, 34, 34, 34]],
      ['MED', week(28)],
      ['OLD', [8, 8]],
    ]);
  });

  it('CEN-9 who waits outside the beds is not in the facility’s number, but beside it', async () => {
    const [med, waiting] = [await hospital.unit('MED'), await hospital.unit('ED')];
    await report(med, lastDays(40, wave));
    await report(
      waiting,
      lastDays(40, () => 6, 4),
    );
    await sql`update census_units set counts_in_occupancy = false where unit_id = ${waiting}`.execute(hospital.db);
    const [whole, ofMed, ofWaiting] = (await ask()).series;
    expect(whole?.history).toEqual(ofMed?.history);
    expect(bedsAhead(whole)).toEqual(week(28));
    expect(whole?.points.map(({ outside }) => outside)).toEqual(week(6));
    expect(ofMed?.points.map(({ outside }) => outside)).toEqual(week(null));
    expect([ofWaiting?.counts_in_occupancy, ofWaiting?.history.at(-1)]).toEqual([
      false,
      { census_date: NEWEST, present: 6, beds: null },
    ]);
    expect(bedsAhead(ofWaiting)).toEqual(week(null));
  });

  it('CEN-9 nobody knows who waits outside where that cannot be forecast; where all wait outside there is no facility’s number', async () => {
    const waiting = await hospital.unit('ED');
    await sql`update census_units set counts_in_occupancy = false where unit_id = ${waiting}`.execute(hospital.db);
    await report(
      waiting,
      lastDays(20, () => 6),
    );
    expect((await ask()).series.map(({ unit_code }) => unit_code)).toEqual(['ED']);
    await report(await hospital.unit('MED'), lastDays(40, wave));
    expect((await ask()).series[0]?.points.map(({ outside }) => outside)).toEqual(week(null));
  });

  it('CEN-9 follows a count that was corrected', async () => {
    const unit = await hospital.unit('MED');
    await report(unit, lastDays(60, wave));
    const before = (await ask()).series[1];
    await sql`update unit_census set admissions = admissions + 3, counted = counted + 3
      where facility_no = ${hospital.facilityNo} and census_date = ${NEWEST}`.execute(hospital.db);
    const after = (await ask()).series[1];
    expect(after?.history.at(-1)?.present).toBe(wave(59) + 3);
    expect(after?.points).not.toEqual(before?.points);
  });
});

describe('who may see it', () => {
  it('CEN-9 A16 the forecast is for those who may view the census; elsewhere there is no facility', async () => {
    const ctx = hospital.ask('census.report_summary');
    await expect(getCensusForecast(ctx, { params: { facility: hospital.facility.id } }, NOW)).rejects.toMatchObject({
      code: 'forbidden',
    });
    const other = await makeFacility(hospital.db);
    await expect(ask(other.id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
