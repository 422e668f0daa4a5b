// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { formatPeriod, periodAround, readPeriod, stepPeriod, yearBefore } from './period.ts';

const read = (search: string) => readPeriod(new URLSearchParams(search), '2026-11-19');

describe('CEN-6 the period of a summary', () => {
  it('CEN-6 is the newest census date where the address names none, or one that does not exist', () => {
    const newest = { kind: 'day', from: '2026-11-19', to: '2026-11-19' };
    expect([read(''), read('by=day&from=2027-02-29'), read('by=range&from=x&to=y'), read('by=decade')]).toEqual(
      Array(4).fill(newest),
    );
  });

  it('CEN-6 a month, quarter and year are whole, whichever of their days the address names', () => {
    expect(read('by=month&from=2028-02-10')).toEqual({ kind: 'month', from: '2028-02-01', to: '2028-02-29' });
    expect(read('by=quarter&from=2026-11-19')).toEqual({ kind: 'quarter', from: '2026-10-01', to: '2026-12-31' });
    expect(read('by=year&from=2026-11-19')).toEqual({ kind: 'year', from: '2026-01-01', to: '2026-12-31' });
  });

  it('CEN-6 a range is taken as given, turned round where it runs backwards, and ends where the server’s sums end', () => {
    expect(read('by=range&from=2026-11-19&to=2026-11-02')).toMatchObject({ from: '2026-11-02', to: '2026-11-19' });
    expect(read('by=range&from=2000-01-01&to=2026-11-19')).toMatchObject({ from: '2000-01-01', to: '2010-02-16' });
  });

  it('CEN-6 steps go from month to month and from quarter to quarter over the turn of the year', () => {
    expect(stepPeriod(periodAround('month', '2026-01-31'), -1)).toMatchObject({ from: '2025-12-01', to: '2025-12-31' });
    expect(stepPeriod(periodAround('quarter', '2026-11-19'), 1)).toMatchObject({
      from: '2027-01-01',
      to: '2027-03-31',
    });
    expect(stepPeriod({ kind: 'range', from: '2026-11-02', to: '2026-11-08' }, -1)).toMatchObject({
      from: '2026-10-26',
      to: '2026-11-01',
    });
  });

  it('CEN-6 a day of the year before is the same weekday; 29 February meets 28 February', () => {
    expect(yearBefore(periodAround('day', '2026-11-19'))).toMatchObject({ from: '2025-11-20', to: '2025-11-20' });
    expect(yearBefore(periodAround('month', '2026-11-19'))).toMatchObject({ from: '2025-11-01', to: '2025-11-30' });
    expect(yearBefore({ kind: 'range', from: '2028-02-01', to: '2028-02-29' })).toMatchObject({
      from: '2027-02-01',
      to: '2027-02-28',
    });
  });

  it('CEN-6 has a name with its weekday', () => {
    expect(
      ['day', 'month', 'quarter', 'year'].map((kind) => formatPeriod(periodAround(kind as 'day', '2026-11-19'))),
    ).toEqual(['Thu 19 Nov 2026', 'November 2026', 'Q4 2026', '2026']);
    expect(formatPeriod({ kind: 'range', from: '2026-11-02', to: '2026-11-19' })).toBe(
      'Mon 2 Nov 2026 to Thu 19 Nov 2026',
    );
  });
});
