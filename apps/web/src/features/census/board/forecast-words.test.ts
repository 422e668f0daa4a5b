// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { absenceWords, breachWords, coverageWords, missWords } from './forecast-words.ts';
import { series } from './testing/sample-board.ts';

it('CEN-9 a forecast says its typical miss and how it compares with last week’s same day', () => {
  expect(missWords(series)).toBe('Typical miss one day ahead: 1.8 patients; 22 % better than last week’s same day.');
  expect(missWords({ ...series, mae: 3, baseline_mae: 2.5 })).toContain('20 % worse than last week’s same day.');
  expect(missWords({ ...series, mae: 2.5, baseline_mae: 2.5 })).toContain('no better than last week’s same day.');
  expect(missWords({ ...series, method: 'seasonal_naive' })).toContain('It repeats last week’s same day');
  expect(missWords({ ...series, mae: null })).toBe('It has not been tested.');
});

it('CEN-9 a forecast says how often its range held, beside how often it means to', () => {
  expect(coverageWords(series)).toBe('The range means to hold 90 of 100 days; it held 82 of 100 over 56 test days.');
  expect(coverageWords({ ...series, coverage: null })).toBeNull();
});

it('CEN-9 no forecast says why', () => {
  expect(absenceWords('too_short')).toBe('A forecast needs 28 days of reports.');
  expect(absenceWords('too_incomplete')).toContain('Less than 90 % of the reports');
});

it('CEN-9 the first day on which more are expected than beds is said', () => {
  expect(breachWords(series)).toBe('99 patients expected for 98 staffed beds');
  expect(breachWords({ ...series, beds: 120 })).toBeNull();
});
