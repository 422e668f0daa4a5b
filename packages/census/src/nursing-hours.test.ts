import { describe, expect, it } from 'vitest';
import {
  hoursPerPatientDay,
  hoursText,
  hundredthsOf,
  nursingSums,
  readHours,
  type UnitMonthHours,
} from './nursing-hours.ts';

const month = (rn: string | null, other: string | null, patientDays: number, isWhole = true): UnitMonthHours => ({
  rn: rn === null ? null : hundredthsOf(rn),
  other: other === null ? null : hundredthsOf(other),
  patientDays,
  isWhole,
});

describe('nursing hours per patient day', () => {
  it.each([
    ['0', 0],
    ['3120', 312_000],
    ['3120.5', 312_050],
    ['3120.25', 312_025],
    ['250000.00', 25_000_000],
    ['0.07', 7],
    ['', null],
    ['3,120', null],
    ['-1', null],
    ['1e3', null],
    ['1.005', null],
    ['.5', null],
    ['1234567', null],
  ])('CEN-6 hours written as %s are %s hundredths', (text, hundredths) => {
    expect(hundredthsOf(text)).toBe(hundredths);
    if (hundredths !== null) expect(hundredthsOf(hoursText(hundredths))).toBe(hundredths);
  });

  it.each([
    ['3120.25', 312_025],
    ['3,120.25', 312_025],
    ['3.120,25', 312_025],
    [' 3 120,25 ', 312_025],
    ['3\u202f120,5', 312_050],
    ['3’120.5', 312_050],
    ['3,120', 312_000],
    ['3.120', 312_000],
    ['3,1', 310],
    ['0', 0],
    ['', null],
    ['   ', null],
    ['3,120,25', undefined],
    ['3,12,0', undefined],
    ['31,2000', undefined],
    ['-5', undefined],
    ['1e3', undefined],
    ['12:30', undefined],
    ['1,234,567', undefined],
  ])('CEN-6 typed or pasted as "%s" are read as %s hundredths', (text, hundredths) => {
    expect(readHours(text)).toBe(hundredths);
  });

  it('CEN-6 are those of registered nurses and of all, each over the patient days of the month', () => {
    const { rn, all } = nursingSums([month('3120.25', '1480.75', 680)]);
    expect(rn).toEqual({ hundredths: 312_025, patient_days: 680, unit_months: 1 });
    expect(hoursPerPatientDay(rn)).toBe('4.59');
    expect(hoursPerPatientDay(all)).toBe('6.77');
  });

  it('CEN-6 are divided exactly and rounded half up, where binary fractions would fall short', () => {
    // 1.005 is a little less than that in binary.
    expect(hoursPerPatientDay(nursingSums([month('2.01', '0', 2)]).all)).toBe('1.01');
    expect(hoursPerPatientDay(nursingSums([month('0.10', '0.20', 1)]).all)).toBe('0.30');
  });

  it('CEN-6 of several units are the hours added over the days added, not a mean of rates', () => {
    const { all } = nursingSums([month('1800', '0', 100), month('6000', '0', 1000)]);
    // 18 and 6 would be 12 on average.
    expect(hoursPerPatientDay(all)).toBe('7.09');
  });

  it('CEN-6 leave a unit’s month out of numerator and denominator alike where hours or reports are missing', () => {
    const sums = nursingSums([
      month('700', '300', 100),
      month(null, null, 90),
      month('800', '200', 110, false),
      month('500', null, 50),
    ]);
    expect(sums).toEqual({
      unit_months_expected: 4,
      rn: { hundredths: 120_000, patient_days: 150, unit_months: 2 },
      all: { hundredths: 100_000, patient_days: 100, unit_months: 1 },
    });
  });

  it('CEN-6 are unknown without hours and without patient days, and nothing where nobody worked', () => {
    expect(hoursPerPatientDay(nursingSums([]).all)).toBeNull();
    expect(hoursPerPatientDay(nursingSums([month(null, null, 300)]).rn)).toBeNull();
    expect(hoursPerPatientDay(nursingSums([month('120', '0', 0)]).all)).toBeNull();
    expect(hoursPerPatientDay(nursingSums([month('0', '0', 300)]).all)).toBe('0.00');
  });
});
