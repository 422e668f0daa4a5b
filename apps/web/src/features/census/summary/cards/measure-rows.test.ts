// @vitest-environment happy-dom
import { noSums } from '@wardline/census/measures.ts';
import { describe, expect, it } from 'vitest';
import { differenceOf, formatDifference } from '#/features/census/core/format-figure.ts';
import { fakeSums } from '#/features/census/summary/testing/fake-summary.tsx';
import { measureGroups, unitRows } from './measure-rows.ts';

const groups = measureGroups(fakeSums());
const row = (title: string, label: string) =>
  groups.find((group) => group.title === title)?.rows.find((one) => one.label === label);

describe('CEN-6 the measures', () => {
  it('CEN-6 add over the populations only what may be added', () => {
    expect(row('All patients', 'Inpatients at the census hour')).toMatchObject({
      value: '49',
      from: '40 adults and children + 9 newborn',
    });
    expect(row('All patients', 'Separations')).toMatchObject({ value: '11', from: '10 discharges + 1 death' });
    expect(groups[0]?.rows.map(({ label }) => label)).not.toContain('Average daily census');
  });

  it('CEN-6 stand with numerator and denominator in words, newborn apart over their bassinets', () => {
    expect(row('Adults and children', 'Occupancy, staffed beds')).toMatchObject({
      value: '71.43',
      from: '40 service days ÷ 56 staffed bed days',
    });
    expect(row('Newborn', 'Bassinet occupancy')).toMatchObject({
      value: '64.29',
      from: '9 service days ÷ 14 staffed bassinet days',
    });
    expect(row('Adults and children', 'Gross death rate')).toMatchObject({
      value: '12.50',
      from: '1 death ÷ 8 separations',
    });
  });

  it('CEN-6 say how many of the reports are in them; those of beds count the units that have beds', () => {
    expect(row('Adults and children', 'Average daily census')).toMatchObject({ reported: 2, expected: 3 });
    const boarders = { ...fakeSums().units[0], counts_in_occupancy: false } as ReturnType<
      typeof fakeSums
    >['units'][number];
    const sums = fakeSums();
    const [, adults] = measureGroups({ ...sums, units: [boarders, ...sums.units.slice(1)] });
    expect(adults?.rows.find(({ key }) => key === 'occupancy')).toMatchObject({ reported: 1, expected: 2 });
  });

  it('CEN-6 have a dash where there is no denominator or nobody knows', () => {
    const icu = fakeSums().units[2];
    expect(
      icu &&
        unitRows(icu, 'staffed')
          .map(({ value }) => value)
          .slice(1, 5),
    ).toEqual([null, null, null, null]);
  });

  it('F-N2 CEN-6 call length of stay and indirect turnover estimated, with how many reports tell discharge days', () => {
    const labels = groups[1]?.rows.map(({ label }) => label) ?? [];
    expect(labels.filter((label) => /length of stay|discharge days|indirect/i.test(label))).toEqual([
      'Length of stay, estimated',
      'Reports with discharge days',
      'Bed turnover, indirect, estimated',
    ]);
    expect(row('Adults and children', 'Length of stay, estimated')).toMatchObject({
      value: '5.00',
      from: '40 service days ÷ 8 separations',
    });
    expect(row('Adults and children', 'Reports with discharge days')).toMatchObject({
      value: '0',
      from: 'of 2 reports with a discharge or death',
    });
  });

  it('F-N2 CEN-6 divide both from discharge days where every report with a separation tells them', () => {
    const { total, ...sums } = fakeSums();
    const adult_and_child = {
      ...total.adult_and_child,
      ...{ discharge_days: 51, discharge_days_reports: 2, occupancy_separations: 7, occupancy_discharge_days: 49 },
    };
    const [, adults] = measureGroups({ ...sums, total: { ...total, adult_and_child } });
    const told = new Map(adults?.rows.map((one) => [one.label, one]));
    expect(told.get('Average length of stay')).toMatchObject({
      value: '6.38',
      from: '51 discharge days ÷ 8 separations',
    });
    expect(told.get('Bed turnover, indirect')).toMatchObject({
      value: '0.10',
      from: '40 × 1 day × 7 separations from these beds ÷ (56 bed days × 49 discharge days)',
    });
    expect(told.get('Turnover interval')).toMatchObject({
      value: '2.29',
      from: '(56 bed days − 40) ÷ 7 separations from these beds',
    });
    expect([...told.keys()].filter((label) => /estimated|with discharge days/.test(label))).toEqual([]);
  });

  it('CEN-6 have a dash and not 0 where no report is in, but for how many are', () => {
    const sums = fakeSums();
    const { adult_and_child } = sums.total;
    const none = { ...noSums(adult_and_child.days), units_expected: adult_and_child.units_expected };
    const units = sums.units.map((unit) => ({ ...unit, sums: { ...noSums(1), units_expected: 1 } }));
    const [together, adults] = measureGroups({ ...sums, units, total: { adult_and_child: none, newborn: none } });
    for (const { rows } of [together, adults].flatMap((group) => group ?? [])) {
      expect(rows.filter(({ value }) => value !== null).map(({ label, value }) => [label, value])).toEqual([
        ['Reports in', '0.00'],
        ['Reports on time', '0.00'],
      ]);
      expect(rows[0]).toMatchObject({ value: null, from: 'No report is in' });
    }
    const boarders = sums.units.map((unit) => ({ ...unit, counts_in_occupancy: unit.unit_code === 'ICU' }));
    const only = measureGroups({ ...sums, units: boarders })[1]?.rows ?? [];
    expect(only.find(({ key }) => key === 'bed_days')).toMatchObject({ value: null, from: 'No report is in' });
    expect(only.find(({ key }) => key === 'average_daily_census')?.value).toBe('40.00');
  });

  it('CEN-6 of nursing hours say which months and how many units are in them, and a day has none', () => {
    const part = (hundredths: number, unit_months: number) => ({ hundredths, patient_days: 1820, unit_months });
    const nursing = {
      first_month: '2026-10',
      last_month: '2026-10',
      total: { unit_months_expected: 6, rn: part(834_025, 6), all: part(1_234_550, 5) },
      units: [],
    };
    const rowsOf = (from: string, to: string, of = nursing as ReturnType<typeof fakeSums>['nursing']) =>
      measureGroups({ ...fakeSums(from, to), nursing: of })[0]?.rows.filter(({ key }) => key.startsWith('hppd'));
    expect(rowsOf('2026-10-01', '2026-10-31')).toEqual([
      {
        key: 'hppd_rn',
        label: 'RN hours per patient day',
        value: '4.58',
        unit: 'hours',
        from: '8,340.25 hours ÷ 1,820 patient days',
        reported: 6,
        expected: 6,
        of: 'units',
      },
      expect.objectContaining({
        label: 'Nursing hours per patient day',
        value: '6.78',
        from: '12,345.50 hours ÷ 1,820 patient days',
        reported: 5,
      }),
    ]);
    const cut = rowsOf('2026-09-20', '2026-11-19');
    expect(cut?.[0]?.from).toBe('8,340.25 hours ÷ 1,820 patient days, October 2026 only');
    const year = { ...nursing, first_month: '2026-01' };
    expect(rowsOf('2026-01-01', '2026-12-31', year)?.[0]).toMatchObject({
      from: '8,340.25 hours ÷ 1,820 patient days, whole months January 2026 to October 2026 only',
      of: 'unit-months',
    });
    const nothing = { hundredths: 0, patient_days: 0, unit_months: 0 };
    const none = { ...nursing, total: { unit_months_expected: 6, rn: nothing, all: nothing } };
    expect(rowsOf('2026-10-01', '2026-10-31', none)?.[0]).toMatchObject({ value: null, from: 'Hours not entered' });
    expect(rowsOf('2026-11-01', '2026-11-19', fakeSums().nursing)?.[0]?.from).toBe('No month of this period has ended');
    expect(rowsOf('2026-10-31', '2026-10-31')).toEqual([]);
  });

  it('CEN-6 a difference is exact to the last place', () => {
    expect(differenceOf('0.30', '0.10')).toBe('0.20');
    expect(['-0.05', '-0.00', '1.20', null].map(formatDifference)).toEqual(['−0.05', '0.00', '+1.20', '–']);
    expect(differenceOf('81.63', '82.00')).toBe('-0.37');
  });
});
