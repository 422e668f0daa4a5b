// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { getCensusHeatmap } from '@wardline/contract/census/board.ts';
import { USUAL_FORMAT } from '@wardline/format/facility-format.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { showFormat } from '#/shared/time/shown-format.ts';
import { cards, setUpBoard } from './testing/board-page.tsx';
import { edSeries, forecast, heatmap, now, series, units } from './testing/sample-board.ts';

beforeEach(() => {
  vi.spyOn(Date, 'now').mockReturnValue(now);
  vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
  showFormat(USUAL_FORMAT);
});

/** The forecast's table twin. */
async function forecastTable() {
  const card = within(await screen.findByRole('region', { name: 'Next 7 days' }));
  fireEvent.click(card.getByRole('button', { name: 'Show as table' }));
  return within(card.getByRole('table', { name: 'Expected patients by day' }));
}

describe('pictures', () => {
  it('CEN-5 a cell of the heat map leads to the report of its unit and day', async () => {
    const { navigate, draw } = setUpBoard();
    draw();
    const cell = await screen.findByRole('cell', { name: /^MED 3A, Wed 18 Nov 2026: 78\.57 %, 22 of 28 beds$/ });
    fireEvent.click(cell);
    expect(navigate).toHaveBeenCalledWith({
      href: `/census-unit?unit=${units[0]?.unit_id}&date=2026-11-18&population=adult_and_child`,
    });
  });

  it('CEN-5 the cells of a nursery say bassinets, as its card does', async () => {
    const { api, draw } = setUpBoard();
    api.on(getCensusHeatmap, ({ query: { from } }) => {
      const map = heatmap(31, from);
      return { ...map, units: map.units.map((unit) => ({ ...unit, population: 'newborn' as const })) };
    });
    draw();
    expect(
      await screen.findByRole('cell', { name: /^MED 3A.*, Wed 18 Nov 2026: 78\.57 %, 22 of 28 bassinets$/ }),
    ).toBeDefined();
  });

  it('CEN-5 CEN-9 the pictures name the beds that the facility counts by; what is expected stands beside staffed ones', async () => {
    const { api, draw } = setUpBoard();
    api.on(getCensusHeatmap, ({ query: { from } }) => ({ ...heatmap(31, from), denominator: 'licensed' as const }));
    draw();
    expect(await screen.findByText('% of licensed beds')).toBeDefined();
    expect(screen.getByRole('heading', { name: 'Service days and licensed beds' })).toBeDefined();
    expect(
      await screen.findByRole('img', { name: /^Trend .*: Counted \d+, Expected \d+, Staffed beds 94$/ }),
    ).toBeDefined();
  });

  it('CEN-5 CEN-9 the trend says service days where the forecast says who was counted: the two differ by same-day patients', async () => {
    setUpBoard().draw();
    const trend = await screen.findByRole('img', { name: /^Trend .*Service days \d+$/ });
    expect(trend.closest('section')?.textContent).toContain('same-day patients included');
    expect(await screen.findByRole('img', { name: /^Trend .*: Counted \d+,/ })).toBeDefined();
  });

  it('CEN-5 for who may open nothing a cell of the heat map shows the calendar of its unit, whose days lead nowhere', async () => {
    const { navigate, draw } = setUpBoard({ permissions: ['census.view'] });
    draw();
    fireEvent.click(await screen.findByRole('cell', { name: /^SUR 2B, Thu 19 Nov 2026/ }));
    const calendar = await screen.findByRole('grid', { name: 'Reports of SUR 2B' });
    expect(document.activeElement?.contains(calendar)).toBe(true);
    expect(calendar.className).not.toContain('is-open');
    expect(navigate).not.toHaveBeenCalled();
  });

  it('CEN-5 for who compiles and reports for no unit a cell leads to its day', async () => {
    const { navigate, draw } = setUpBoard({ permissions: ['census.view', 'census.report_summary'] });
    draw();
    fireEvent.click(await screen.findByRole('cell', { name: /^SUR 2B, Thu 19 Nov 2026/ }));
    expect(navigate).toHaveBeenCalledWith({ href: '/census-summary?by=day&from=2026-11-19&to=2026-11-19' });
  });

  it('CEN-5 CEN-9 days are named in the facility’s way, in the pictures as beside them', async () => {
    showFormat({ hour_cycle: 'h12', date_order: 'mdy' });
    setUpBoard().draw();
    const calendar = await screen.findByRole('grid', { name: 'Reports of MED 3A' });
    expect(within(calendar).getByText('Thu Nov 19: Locked')).toBeDefined();
    expect(await screen.findByRole('img', { name: /^Trend from Tue Oct 20 to Thu Nov 19: / })).toBeDefined();
    expect(await screen.findByRole('img', { name: /^Trend from .* to Sat Nov 21: / })).toBeDefined();
  });

  it('CEN-5 a month is asked for at first, a year when it is wanted', async () => {
    const { state, draw } = setUpBoard();
    draw();
    fireEvent.click(await screen.findByRole('radio', { name: 'Year' }));
    await waitFor(() => expect(state.asked).toEqual(['31 days to 2026-11-19', '365 days to 2026-11-19']));
  });

  it('CEN-9 the forecast shows the week to come with its typical miss and how often its range held', async () => {
    setUpBoard().draw();
    expect(await screen.findByText(/Typical error one day ahead: 1\.8 patients/)).toBeDefined();
    expect(screen.getByText(/it covered 82 of 100 over 56 test days/)).toBeDefined();
    expect(screen.getByText('Sat 21 Nov: 99.4 patients expected for 94 staffed beds, 6.5 more in ED.')).toBeDefined();
    expect(screen.getByText(/^Patients without a bed in ED are not included/)).toBeDefined();
  });

  it('CEN-9 a planned change of beds is a step of their line, and stands by day in the table twin', async () => {
    setUpBoard().draw();
    const picture = await screen.findByRole('img', { name: /^Trend .*Expected/ });
    expect(within(picture).getByText('−4, Sat 21 Nov')).toBeDefined();
    const table = await forecastTable();
    const rows = table
      .getAllByRole('row')
      .map(({ children }) => [...children].map((cell) => cell.lastChild?.textContent));
    expect(rows).toEqual([
      ['Census date', 'Expected', 'At least', 'At most', 'Without a bed', 'Staffed beds'],
      ['Fri 20 Nov 2026', '84.2', '80.0', '88.0', '6.0', '98'],
      ['Sat 21 Nov 2026', '99.4', '94.0', '103.5', '6.5', '94'],
    ]);
  });

  it('CEN-9 where nobody has beds there is no line of them, and nothing is over them', async () => {
    setUpBoard({ seen: { ...forecast, series: [edSeries] } }).draw();
    expect(await screen.findByRole('img', { name: /^Trend .*: Counted 6, Expected 7$/ })).toBeDefined();
    expect(screen.queryByText('Over staffed beds.')).toBeNull();
    const table = await forecastTable();
    expect(table.queryByRole('columnheader', { name: 'Without a bed' })).toBeNull();
    expect(table.getAllByRole('row').map(({ lastChild }) => lastChild?.lastChild?.textContent)).toEqual([
      'Staffed beds',
      '–',
      '–',
    ]);
  });

  it('CEN-9 where there is no forecast it says why and draws none', async () => {
    setUpBoard({
      seen: { ...forecast, series: [{ ...series, method: null, absent_because: 'too_short', points: [] }] },
    }).draw();
    expect(await screen.findByText('A forecast needs 28 days of reports.')).toBeDefined();
  });

  it('CEN-5 a picture that fails says so in its place, and the board stands', async () => {
    const { api, draw } = setUpBoard();
    const { around } = api;
    api.around = (request, go) =>
      request.line.includes('/forecast')
        ? Promise.resolve(Response.json({ message: 'No.' }, { status: 500 }))
        : around(request, go);
    draw();
    expect(await screen.findByText('The forecast did not load')).toBeDefined();
    expect(await cards()).toHaveLength(8);
  });
});
