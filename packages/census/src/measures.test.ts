import type { Sums } from '@wardline/contract/census/summary.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addSums, areStaysKnown, MEASURES, type MeasureName, measuresOf, noSums, toldMeasures } from './measures.ts';
import { AGGREGATE, PERIODS } from './testing/fixtures.ts';

const measure = (sums: Sums, name: MeasureName) => measuresOf(sums).find((one) => one.name === name);

describe('the measures of a period', () => {
  it.each(PERIODS)('CEN-6 $id gives the printed figures', ({ sums, measures }) => {
    for (const [name, value] of Object.entries(measures)) {
      expect(measure(sums, name as MeasureName)?.value, name).toBe(value);
    }
  });

  it('CEN-6 come in their order, each with what it was divided from', () => {
    const sums = { ...noSums(30), service_days: 600, occupancy_service_days: 540, bed_days: 720, census_days: 590 };
    expect(measuresOf(sums).map(({ name }) => name)).toEqual(MEASURES);
    expect(measure(sums, 'occupancy')).toEqual({
      name: 'occupancy',
      unit: 'per cent',
      value: '75.00',
      numerator: 540,
      denominator: 720,
    });
    expect(measure(sums, 'average_daily_census')).toMatchObject({ value: '20.00', numerator: 600, denominator: 30 });
  });

  it('CEN-6 9 of 10 and 10 of 40 beds are 38.00 %, not the mean of the two percentages (fixture A15)', () => {
    const occupancy = measure(addSums(AGGREGATE.units, 1), 'occupancy')?.value;
    expect(occupancy).toBe(AGGREGATE.right);
    const mean = AGGREGATE.units.map((unit) => Number(measure(unit, 'occupancy')?.value)).reduce((a, b) => a + b) / 2;
    expect(mean.toFixed(2)).toBe(AGGREGATE.wrong);
  });

  const busy: Sums = {
    ...noSums(31),
    service_days: 620,
    occupancy_service_days: 620,
    occupancy_separations: 125,
    occupancy_discharge_days: 610,
    bed_days: 600,
    census_days: 600,
    admissions: 110,
    births: 4,
    transfers_in: 36,
    transfers_out: 30,
    discharges: 118,
    deaths: 7,
    deaths_u48: 2,
    discharge_days: 610,
    separation_reports: 40,
    discharge_days_reports: 40,
    units_expected: 62,
    units_reported: 60,
    units_on_time: 57,
  };

  it('CEN-6 deaths, stays, turnover, churn and completeness follow their formulas', () => {
    const values = Object.fromEntries(measuresOf(busy).map(({ name, value }) => [name, value]));
    expect(values).toEqual({
      average_daily_census: '20.00',
      occupancy: '103.33',
      alos: '4.88',
      alos_estimated: '4.96',
      turnover_direct: '6.46',
      turnover_indirect: '6.56',
      turnover_indirect_estimated: '6.46',
      turnover_interval: '-0.16',
      gross_death_rate: '5.60',
      net_death_rate: '4.07',
      churn: '0.51',
      completeness: '96.77',
      timeliness: '91.94',
    });
  });

  it('CEN-6 the indirect turnover equals the direct one when the stay is the estimated one', () => {
    const estimated = { ...busy, occupancy_discharge_days: busy.service_days };
    expect(measure(estimated, 'turnover_indirect')?.value).toBe(measure(estimated, 'turnover_direct')?.value);
  });

  it('CEN-6 turnover sets the beds against those who left them: boarders had none, and are in the length of stay alone', () => {
    // October 2026 of the demo hospital: 80 of the 649 were boarders of the emergency department.
    const october: Sums = {
      ...noSums(31),
      ...{ service_days: 2992, occupancy_service_days: 2744, bed_days: 3472, staffed_bed_days: 3472 },
      ...{ discharges: 640, deaths: 9, occupancy_separations: 569 },
      ...{ separation_reports: 200, discharge_days_reports: 200, discharge_days: 2900, occupancy_discharge_days: 2700 },
    };
    expect(measure(october, 'turnover_direct')).toMatchObject({ value: '5.08', numerator: 569 * 31 });
    expect(measure(october, 'turnover_indirect_estimated')?.value).toBe('5.08');
    expect(measure(october, 'turnover_indirect')).toMatchObject({ value: '5.16', denominator: 3472 * 2700 });
    expect(measure(october, 'turnover_interval')).toMatchObject({ value: '1.28', denominator: 569 });
    expect(measure(october, 'alos')).toMatchObject({ value: '4.47', denominator: 649 });
    expect(measure({ ...october, occupancy_separations: 0 }, 'turnover_indirect')?.value).toBeNull();
  });

  it('F-N2 CEN-6 one report that does not tell its discharge days leaves stay and indirect turnover to an estimate', () => {
    const partly = { ...busy, discharge_days_reports: 39 };
    for (const name of ['alos', 'turnover_indirect'] as const) {
      expect(measure(partly, name)).toMatchObject({ value: null, numerator: null, denominator: null });
    }
    expect(measure(partly, 'alos_estimated')?.value).toBe('4.96');
    const told = (sums: Sums) => toldMeasures(sums).map(({ name }) => name);
    expect(told(partly)).toEqual(MEASURES.filter((name) => name !== 'alos' && name !== 'turnover_indirect'));
    expect(told(busy)).toEqual(MEASURES.filter((name) => !name.endsWith('_estimated')));
  });

  it('F-N2 CEN-6 where nobody left there is nothing to estimate, and no length of stay', () => {
    const nobody = {
      ...busy,
      discharges: 0,
      deaths: 0,
      occupancy_separations: 0,
      discharge_days: 0,
      occupancy_discharge_days: 0,
      separation_reports: 0,
      discharge_days_reports: 0,
    };
    expect(areStaysKnown(nobody)).toBe(true);
    expect(measure(nobody, 'alos')?.value).toBeNull();
    expect(areStaysKnown({ ...nobody, discharges: 1 })).toBe(false);
  });
});

describe('adding sums', () => {
  const sums = fc.record({
    ...Object.fromEntries(
      Object.keys(noSums(1))
        .filter((name) => name !== 'days')
        .map((name) => [name, fc.nat(9999)]),
    ),
    days: fc.constant(1),
  }) as fc.Arbitrary<Sums>;

  it('CEN-6 months add up to what their days do, however they are cut', () => {
    fc.assert(
      fc.property(fc.array(sums, { minLength: 2, maxLength: 40 }), fc.nat(39), (days, cut) => {
        const at = cut % days.length;
        const parts = [days.slice(0, at), days.slice(at)].map((part) => addSums(part, part.length));
        expect(addSums(parts, days.length)).toEqual(addSums(days, days.length));
      }),
    );
  });

  it('F-N2 CEN-6 one part that does not know its discharge days leaves the whole to an estimate', () => {
    const known = { ...noSums(1), discharges: 3, discharge_days: 12, separation_reports: 1, discharge_days_reports: 1 };
    expect(areStaysKnown(addSums([known, known], 2))).toBe(true);
    expect(addSums([known, known], 2).discharge_days).toBe(24);
    expect(areStaysKnown(addSums([known, { ...known, discharge_days: 0, discharge_days_reports: 0 }], 2))).toBe(false);
  });

  it('CEN-6 units add over the same days, months one after the other', () => {
    const month = { ...noSums(30), service_days: 5 };
    expect(addSums([month, month], 30)).toMatchObject({ days: 30, service_days: 10 });
    expect(addSums([month, month], 60)).toMatchObject({ days: 60, service_days: 10 });
  });
});
