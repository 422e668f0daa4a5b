// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { setUpSummary } from './testing/fake-summary.tsx';

it('CEN-6 of a unit that has reported nothing the sums are dashes, not noughts', async () => {
  setUpSummary({ search: 'by=month&from=2026-11-01' }).draw();
  const table = within(await screen.findByRole('table', { name: 'Sums of the units' }));
  const cellsOf = (name: RegExp) =>
    within(table.getByRole('row', { name }))
      .getAllByRole('cell')
      .map(({ lastChild }) => lastChild?.textContent);
  expect(cellsOf(/^ICU/).slice(0, 4)).toEqual(['–', '–', '–', '–']);
  expect(cellsOf(/^MED 3A/)).not.toContain('–');
});

it('CEN-6 overrides and restatements stand with the figures they touch', async () => {
  setUpSummary({ search: 'by=month&from=2026-11-01' }).draw();
  expect(
    await screen.findByText('Thu 12 Nov 2026: transfer gap 1, accepted by Owen Hart: patient moved 23:58'),
  ).toBeTruthy();
  expect(screen.getByText('2 reports restated: an earlier day was corrected, and the opening moved.')).toBeTruthy();
  expect(screen.getByText('Nothing was changed after its day was signed.')).toBeTruthy();
});
