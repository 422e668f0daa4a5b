// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, within } from '@testing-library/react';
import 'fake-indexeddb/auto';
import { acknowledgeAlert, type CensusAlert } from '@wardline/contract/census/board.ts';
import { beforeEach, expect, it, vi } from 'vitest';
import { setUpBoard } from './testing/board-page.tsx';
import { grace, icu, now, units } from './testing/sample-board.ts';

beforeEach(() => {
  vi.spyOn(Date, 'now').mockReturnValue(now);
});

const missing: CensusAlert = {
  id: icu.unit_id,
  rule: 'report_missing',
  unit_id: units[3]?.unit_id ?? null,
  unit_code: 'MAT',
  population: 'adult_and_child',
  census_date: '2026-11-19',
  message: 'MAT report of Thu 19 Nov missing',
  raised_at: '2026-11-20T08:40:00Z',
  acknowledged_at: null,
  acknowledged_by: null,
};
const newborns: CensusAlert = {
  ...missing,
  id: grace.id,
  population: 'newborn',
  message: 'MAT newborn report of Thu 19 Nov missing',
};

it('CEN-9 1.3 of two alerts of one unit each says its population, and to take on one leaves the other', async () => {
  const { api, draw } = setUpBoard({ shown: { alerts: [missing, newborns] } });
  api.on(acknowledgeAlert, ({ params }) => {
    expect(params.alert).toBe(newborns.id);
    return { ...newborns, acknowledged_at: '2026-11-20T08:42:00Z', acknowledged_by: grace };
  });
  draw();
  const alerts = within(await screen.findByRole('region', { name: 'Alerts' }));
  const rows = () => alerts.getAllByRole('listitem').map((row) => row.textContent);
  const waiting = `${missing.message}2 min agoReport missingMAT, Thu 19 NovAcknowledge`;
  expect(rows()).toEqual([waiting, `${newborns.message}2 min agoReport missingMAT newborn, Thu 19 NovAcknowledge`]);
  expect(alerts.getByText(/2 not acknowledged/)).toBeDefined();
  const [, second] = alerts.getAllByRole('button', { name: 'Acknowledge' });
  fireEvent.click(second as HTMLElement);
  await alerts.findByText('MAT newborn, Thu 19 Nov · acknowledged by Grace Mbeki, just now');
  expect(rows()[0]).toBe(waiting);
  expect(alerts.getByText(/1 not acknowledged/)).toBeDefined();
});
