// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { getCensusBoard, getCensusForecast, getCensusHeatmap } from '@wardline/contract/census/board.ts';
import type { Estimate } from '@wardline/contract/census/census.ts';
import { estimateUnitDay, withdrawEstimate } from '@wardline/contract/census/unit.ts';
import { describe, expect, it, vi } from 'vitest';
import { withEstimates } from '#/features/census/core/estimate-labels.ts';
import { fakeDay as fakeUnitDay } from '#/features/census/report/testing/fake-report.ts';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, anaUser } from '#/testing/fake-chats.ts';
import { BoardScreen } from '../board/board-screen.tsx';
import { board, facility, forecast, heatmap, icu, now, units } from '../board/testing/sample-board.ts';
import { date, fakeDay, ids, owen, setUpSummary, signed } from '../summary/testing/fake-summary.tsx';

const estimate: Estimate = { census: 21, reason: 'phoned the ward', by: owen, at: '2026-11-20T02:10:00Z' };
const estimated = () =>
  fakeDay({ units: fakeDay().units.map((unit) => (unit.unit_id === ids.icu ? { ...unit, estimate } : unit)) });

async function openIcu() {
  const strip = within(await screen.findByRole('list', { name: 'Reports' }));
  fireEvent.click(strip.getByRole('button', { name: /^ICU/ }));
  return within(await screen.findByRole('dialog', { name: /^ICU/ }));
}

describe('the summary', () => {
  it('CEN-5 CEN-6 an estimate of a missing unit needs a whole number and words, and stands apart from the figure', async () => {
    const { api, draw, state } = setUpSummary();
    const sent = vi.fn();
    api.on(estimateUnitDay, ({ params, body: { census, reason } }) => {
      sent(params, { census, reason });
      state.day = estimated();
      return fakeUnitDay({ estimate });
    });
    draw();
    const dialog = await openIcu();
    fireEvent.click(dialog.getByRole('button', { name: 'Enter an estimate' }));
    fireEvent.input(dialog.getByLabelText('Patients present'), { target: { value: '2.5' } });
    fireEvent.input(dialog.getByLabelText('Source of the estimate'), { target: { value: 'no' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save estimate' }));
    expect(await dialog.findByText('Write a whole number from 0 to 9999.')).toBeTruthy();
    expect(dialog.getByText('Enter a reason of at least 5 characters.')).toBeTruthy();
    expect(sent).not.toHaveBeenCalled();
    fireEvent.input(dialog.getByLabelText('Patients present'), { target: { value: '21' } });
    fireEvent.input(dialog.getByLabelText('Source of the estimate'), { target: { value: 'phoned the ward' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save estimate' }));
    await waitFor(() =>
      expect(sent).toHaveBeenCalledWith(
        { unit: ids.icu, date, population: 'adult_and_child' },
        { census: 21, reason: 'phoned the ward' },
      ),
    );
    expect(await dialog.findByText('estimate 21 by Owen Hart: phoned the ward')).toBeTruthy();
    expect(dialog.queryByRole('button', { name: 'Enter an estimate' })).toBeNull();
    expect(screen.getByText(/^In census/).textContent).toBe('In census 49, with an estimate 70');
    fireEvent.click(dialog.getByRole('button', { name: 'Close' }));
    expect((await screen.findByRole('list', { name: 'Estimates' })).textContent).toBe(
      'ICUestimate 21 by Owen Hart: phoned the ward',
    );
    expect(screen.getByRole('list', { name: 'Reports' }).textContent).toContain('ICUmissing, due 01:00, estimate 21');
    expect(screen.getByRole('heading', { name: '3 of 4 units in; 1 late; ICU missing' })).toBeTruthy();
  });

  it('CEN-5 an estimate is taken back, and the page shows none any more', async () => {
    const { api, draw, state } = setUpSummary({ day: estimated() });
    api.on(withdrawEstimate, () => {
      state.day = fakeDay();
      return fakeUnitDay();
    });
    draw();
    const dialog = await openIcu();
    fireEvent.click(dialog.getByRole('button', { name: 'Take the estimate back' }));
    expect(await dialog.findByRole('button', { name: 'Enter an estimate' })).toBeTruthy();
    expect(screen.queryByText(/with an estimate/)).toBeNull();
  });

  it('CEN-5 on a signed day, and before the deadline, nothing is estimated', async () => {
    const waiting = fakeDay().units.map((unit) => ({ ...unit, conditions: [] }));
    const before = setUpSummary({ day: fakeDay({ units: waiting }) }).draw();
    expect((await openIcu()).queryByRole('button', { name: 'Enter an estimate' })).toBeNull();
    before.unmount();
    setUpSummary({ day: { ...estimated(), ...signed, may: { ...fakeDay().may, sign: false } } }).draw();
    const dialog = await openIcu();
    expect(dialog.getByText('estimate 21 by Owen Hart: phoned the ward')).toBeTruthy();
    expect(dialog.queryByRole('button', { name: 'Take the estimate back' })).toBeNull();
    expect(dialog.queryByRole('button', { name: 'Enter an estimate' })).toBeNull();
  });
});

describe('the board', () => {
  it('CEN-5 the total stays what was counted and says what it would be with the estimate; card, rows and heat map say whose it is', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(now);
    const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
    const shown = units.map((unit) => (unit === icu ? { ...unit, estimate } : unit));
    app.api.on(getCensusBoard, () => ({ ...board, units: shown }));
    app.api.on(getCensusForecast, () => forecast);
    app.api.on(getCensusHeatmap, ({ query: { from, to } }) => {
      const heat = heatmap((Date.parse(to) - Date.parse(from)) / 86_400_000 + 1, from);
      const told = { index: heat.units[1]?.marks.indexOf('m') ?? 0, census: 21, by: 'Owen Hart', reason: 'phoned' };
      return {
        ...heat,
        units: heat.units.map((unit, at) =>
          at === 1 ? { ...unit, marks: unit.marks.replace('m', 'e'), estimates: [told] } : unit,
        ),
      };
    });
    app.draw(
      <DeviceContext value={{ store: createMemoryStore(ana.id), outbox: null as never }}>
        <BoardScreen facility={facility} />
      </DeviceContext>,
    );
    const total = await screen.findByRole('region', { name: 'Facility total' });
    expect(total.textContent).toMatch(
      /^In census 92 7 of 8 units in, end of Thu 19 Nov, with an estimate 113Staffed beds occupied 77/,
    );
    const cards = within(screen.getByRole('region', { name: 'Units by pressure' }));
    expect(cards.getAllByText('estimate 21 by Owen Hart: phoned the ward')).toHaveLength(1);
    const cell = await screen.findByTitle(/missing, estimate 21 by Owen Hart: phoned$/);
    expect(cell.className).toContain('hatch');
    expect(cell.textContent).toBe('≈');
  });
});

it('CEN-5 an estimate is added only where nobody is counted', () => {
  const guess = (census: number) => ({ ...estimate, census });
  expect(withEstimates([{ present: 400 }, { present: 12 }, { present: null, estimate: guess(21) }])).toBe(
    'with an estimate 433',
  );
  expect(
    withEstimates([
      { present: 400, estimate: guess(9) },
      { present: null, estimate: guess(21) },
      { present: null, estimate: guess(2) },
    ]),
  ).toBe('with 2 estimates 423');
  expect(withEstimates([{ present: 400, estimate: guess(9) }, { present: null }])).toBeNull();
});
