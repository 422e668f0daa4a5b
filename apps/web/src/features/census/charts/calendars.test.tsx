// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, within } from '@testing-library/react';
import { getCensusHeatmap } from '@wardline/contract/census/board.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { heatmap } from '#/features/census/board/testing/sample-board.ts';
import { fakeDay } from '#/features/census/report/testing/fake-report.ts';
import { setUpSummary } from '#/features/census/summary/testing/fake-summary.tsx';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { stBrigid } from '#/testing/fake-chats.ts';
import { UnitCalendar } from './unit-calendar.tsx';

beforeEach(() => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-20T08:42:00Z'));
});
afterEach(() => void vi.restoreAllMocks());

/** Keys on the day that has the stop of Tab. */
function press(grid: HTMLElement, ...keys: readonly string[]) {
  for (const key of keys) fireEvent.keyDown(stopOf(grid), { key });
}

function stopOf(grid: HTMLElement): Element {
  const stop = grid.querySelector('td[tabindex="0"]');
  if (!stop) throw new Error('No day has the stop of Tab.');
  return stop;
}

/** What the days of a calendar say, the last so many. */
const text = (grid: HTMLElement, last: number) =>
  [...grid.querySelectorAll('.cal-day .sr')].slice(-last).map(({ textContent }) => textContent?.split(': ')[1]);

const daysOf = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;

function drawUnit(change: Parameters<typeof fakeDay>[0] = {}) {
  const app = createFakeApp();
  const asked: string[] = [];
  const [, sur] = heatmap(3, '2026-11-17').units;
  app.api.on(getCensusHeatmap, ({ query: { from, to } }) => {
    asked.push(`${from} to ${to}`);
    return heatmap(daysOf(from, to), from);
  });
  app.draw(
    <UnitCalendar facility={stBrigid} day={fakeDay({ unit_id: sur?.unit_id ?? '', unit_code: 'SUR 2B', ...change })} />,
  );
  return { asked, navigate: app.navigate };
}

it('CEN-9 beside a report stand the unit’s days of its month, up to what is counted; Enter opens the day’s report', async () => {
  const { asked, navigate } = drawUnit();
  const grid = await screen.findByRole('grid', { name: 'Reports of November 2026' });
  expect(asked).toEqual(['2026-11-01 to 2026-11-19']);
  expect(text(grid, 3)).toEqual(['Locked', 'Not in', 'Late']);
  press(grid, 'ArrowLeft', 'Enter');
  expect(navigate).toHaveBeenCalledWith({
    href: expect.stringContaining('date=2026-11-18&population=adult_and_child'),
  });
});

it('CEN-9 an older report shows its own month whole, and the same stands in rows', async () => {
  const { asked } = drawUnit({ census_date: '2026-09-14', census_at: '2026-09-15T00:00:00Z' });
  await screen.findByRole('grid', { name: 'Reports of September 2026' });
  expect(asked).toEqual(['2026-09-01 to 2026-09-30']);
  fireEvent.click(screen.getByRole('button', { name: 'Show as table' }));
  const table = screen.getByRole('table', { name: 'Reports of September 2026 by day' });
  expect(within(table).getAllByRole('row')).toHaveLength(31);
});

it('CEN-9 on a phone the calendar opens behind a button', async () => {
  const { navigate } = drawUnit();
  fireEvent.click(screen.getByRole('button', { name: 'Calendar of SUR 2B' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Calendar of SUR 2B' }));
  const grid = await dialog.findByRole('grid', { name: 'Reports of November 2026' });
  press(grid, 'Enter');
  expect(navigate).toHaveBeenCalledOnce();
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('CEN-9 CEN-6 the summary shows the facility’s days of the month, and a day of it is opened there', async () => {
  const { api, draw, state } = setUpSummary();
  api.on(getCensusHeatmap, ({ query: { from, to } }) => ({
    ...heatmap(daysOf(from, to), from),
    days: 'l'.repeat(daysOf(from, to) - 3).concat('soo'),
  }));
  draw();
  const grid = await screen.findByRole('grid', { name: 'Days of November 2026' });
  expect(text(grid, 3)).toEqual(['Signed', 'Incomplete', 'Late']);
  press(grid, 'ArrowLeft', 'Enter');
  expect(state.went.at(-1)).toBe('by=day&from=2026-11-18&to=2026-11-18');
});
