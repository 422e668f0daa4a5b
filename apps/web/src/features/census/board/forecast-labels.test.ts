// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { formatAbsence, formatCoverage, formatMiss, formatShortage, formatWho } from './forecast-labels.ts';
import { edSeries, series } from './testing/sample-board.ts';

it('CEN-9 a forecast says its typical miss and how it compares with last week’s same day', () => {
  expect(formatMiss(series)).toBe(
    'Typical error one day ahead: 1.8 patients; 22 % better than the same day last week.',
  );
  expect(formatMiss({ ...series, mae: 3, baseline_mae: 2.5 })).toContain('20 % worse than the same day last week.');
  expect(formatMiss({ ...series, mae: 2.5, baseline_mae: 2.5 })).toContain('no better than the same day last week.');
  expect(formatMiss({ ...series, method: 'seasonal_naive' })).toContain('It repeats the same day last week');
  expect(formatMiss({ ...series, mae: null })).toBe('Not tested yet.');
});

it('CEN-9 a forecast says how often its range held, beside how often it means to', () => {
  expect(formatCoverage(series)).toBe('The range should cover 90 of 100 days; it covered 82 of 100 over 56 test days.');
  expect(formatCoverage({ ...series, coverage: null })).toBeNull();
});

it('CEN-9 no forecast says why', () => {
  expect(formatAbsence('too_short')).toBe('A forecast needs 28 days of reports.');
  expect(formatAbsence('too_incomplete')).toContain('Less than 90 % of recent reports');
});

it('CEN-9 the first day on which more are expected than beds is said with its beds, and who waits without one', () => {
  expect(formatShortage(series, [edSeries])).toEqual({
    title: 'Over staffed beds.',
    text: 'Sat 21 Nov: 99.4 patients expected for 94 staffed beds, 6.5 more in ED.',
  });
  expect(formatShortage({ ...series, points: points({ outside: null }) }, [])?.text).toBe(
    'Sat 21 Nov: 99.4 patients expected for 94 staffed beds.',
  );
  expect(formatShortage({ ...series, points: points({ beds: 120 }) }, [edSeries])).toBeNull();
});

it('CEN-9 beds that do for those in them, but not for who waits outside, are said to be too few for everybody', () => {
  expect(formatShortage({ ...series, points: points({ beds: 100 }) }, [edSeries])).toEqual({
    title: 'Not enough beds.',
    text: 'Sat 21 Nov: 99.4 patients expected for 100 staffed beds, 6.5 more in ED.',
  });
});

it('CEN-9 a facility says who is not in its number; a unit, and a facility where all have beds, need not', () => {
  expect(formatWho(series, [edSeries, { unit_code: 'OBS' }])).toBe(
    'Patients without a bed in ED and OBS are not included; they are forecast separately.',
  );
  expect(formatWho(series, [])).toBeNull();
  expect(formatWho(edSeries, [edSeries])).toBeNull();
});

function points(changed: Partial<(typeof series.points)[number]>) {
  return series.points.map((point) => ({ ...point, ...changed }));
}
