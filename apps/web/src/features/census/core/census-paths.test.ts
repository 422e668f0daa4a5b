import { expect, it } from 'vitest';
import { settingsPathFor } from './census-paths.ts';

it.each([
  ['the board and the summary', ['census.view', 'census.report_summary'], '/census?view=settings'],
  ['the board', ['census.view'], '/census?view=settings'],
  ['the summary', ['census.logs', 'census.report_summary'], '/census-summary?view=settings'],
])('NAV-5 3.7 whoever may open %s reads the census settings there, on the board if it is one of them', (...row) => {
  const [, permissions, path] = row;
  expect(settingsPathFor(permissions)).toBe(path);
});

it('NAV-5 3.7 without the board and the summary there is no way to the census settings', () => {
  expect(settingsPathFor(['census.report_units', 'census.logs'])).toBeNull();
});
