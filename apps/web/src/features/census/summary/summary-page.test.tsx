// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { setOnline } from '#/testing/fake-app.tsx';
import { date, setUpSummary } from './testing/fake-summary.tsx';

// A part that the address of another file's page named would stand open.
beforeEach(() => window.history.replaceState(null, '', window.location.pathname));

it.each([
  [
    'a day',
    `by=day&from=${date}&to=${date}`,
    ['Measures', 'Transfers', 'Trend', 'Newborn', 'Balance', 'Units', 'Days', 'Unusual days', 'Compare', 'Notes'],
  ],
  [
    'a month',
    'by=month&from=2026-11-01',
    ['Measures', 'Transfers', 'Occupancy', 'Days', 'Trend', 'Units', 'Compare', 'Notes'],
  ],
])('CEN-6 each part of %s is a link away', async (_name, search, labels) => {
  setUpSummary({ search }).draw();
  await screen.findByRole('heading', { name: 'Compare' });
  const ways = within(screen.getByRole('navigation', { name: 'On this page' })).getAllByRole('link');
  expect(ways.map(({ textContent }) => textContent)).toEqual(labels);
  for (const way of ways) {
    const part = document.getElementById(way.getAttribute('href')?.slice(1) ?? '');
    expect(part?.childElementCount, way.textContent ?? '').toBeGreaterThan(0);
    expect(part?.getAttribute('tabindex')).toBe('-1');
  }
});

const folds = () => [...document.querySelectorAll('details')];
const openFolds = () => folds().flatMap(({ open, parentElement }) => (open ? [parentElement?.id] : []));
function toggle(id: string, isOpen: boolean): void {
  const fold = document.querySelector<HTMLDetailsElement>(`#${id} > details`);
  if (!fold) throw new Error(`There is no part ${id}.`);
  // As the browser does at a press, and at Enter on the line.
  act(() => {
    fold.open = isOpen;
  });
}

it('F-N17 headline figures come first; what else there is opens, and the address keeps it for the next period', async () => {
  const { draw, state } = setUpSummary();
  draw();
  await screen.findByRole('heading', { name: 'Compare' });
  expect(openFolds()).toEqual(['trend']);
  const headlines = within(screen.getByRole('table', { name: 'Measures' })).getAllByRole('rowheader');
  expect(headlines.length).toBeLessThanOrEqual(12);
  expect(screen.getByText(/^\d+ more measures$/).closest('summary')).toBeTruthy();
  toggle('units', true);
  expect(state.went).toEqual([`by=day&from=${date}&to=${date}&open=trend.units`]);
  toggle('trend', false);
  fireEvent.click(screen.getByRole('button', { name: 'Wed 18 Nov 2026' }));
  expect(state.went.at(-1)).toBe('by=day&from=2026-11-18&to=2026-11-18&open=units');
  await screen.findByRole('heading', { name: 'Compare' });
  expect(openFolds()).toEqual(['units']);
});

it('F-N17 a link to a part opens it, and on paper all parts stand open', async () => {
  window.location.hash = '#more-measures';
  setUpSummary().draw();
  await screen.findByRole('heading', { name: 'Compare' });
  expect(openFolds()).toEqual(['more-measures', 'trend']);
  window.location.hash = '#notes';
  act(() => void window.dispatchEvent(new Event('hashchange')));
  expect(openFolds()).toContain('notes');
  act(() => void window.dispatchEvent(new Event('beforeprint')));
  expect(openFolds()).toHaveLength(folds().length);
  act(() => void window.dispatchEvent(new Event('afterprint')));
  expect(openFolds()).toEqual(['trend', 'notes']);
  window.location.hash = '';
});

it('CEN-6 the address carries the period; the step after the newest date cannot be taken', async () => {
  const { draw, state } = setUpSummary({ search: 'by=month&from=2026-10-01' });
  draw();
  fireEvent.click(await screen.findByRole('button', { name: 'September 2026' }));
  expect(state.went).toEqual(['by=month&from=2026-09-01&to=2026-09-30']);
  expect(await screen.findByRole('heading', { name: '3 of 4 reports in; 1 late; 1 missing' })).toBeTruthy();
});

it('CEN-6 a range is typed date by date: the first counts when it is left, and the focus stays in the second', async () => {
  const { draw, state } = setUpSummary({ search: 'by=range&from=2026-11-02&to=2026-11-15' });
  draw();
  const first = await screen.findByLabelText('First census date');
  const last = screen.getByLabelText('Last census date');
  first.focus();
  fireEvent.change(first, { target: { value: '2026-11-05' } });
  expect(state.went).toEqual([]);
  last.focus();
  expect(state.went).toEqual(['by=range&from=2026-11-05&to=2026-11-15']);
  expect(document.activeElement).toBe(last);
  expect(screen.getByLabelText('Last census date')).toBe(last);
  expect(first).toHaveProperty('value', '2026-11-05');
  last.blur();
  expect(state.went).toHaveLength(1);
});

it('CEN-6 offline what was not loaded says so, and the page does not wait for it', async () => {
  setOnline(false);
  setUpSummary({ search: 'by=month&from=2026-10-01' }).draw();
  expect(await screen.findByText('Available when you’re online')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'October 2026, choose another date' })).toBeTruthy();
  setOnline(true);
  expect(await screen.findByRole('heading', { name: '3 of 4 reports in; 1 late; 1 missing' })).toBeTruthy();
});
