// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { HeatMap } from '#/chart/heat-map.tsx';
import { formatLevel, occupancyLevel } from '#/chart/occupancy-level.ts';

afterEach(cleanup);

const bands = { target: 85, high: 92, full: 100 };
const columns = ['17', '18', '19'].map((bottom) => ({ key: `2026-11-${bottom}`, top: 'T', bottom, isWeekend: false }));
const rows = ['MED 3A', 'ICU'].map((label, row) => ({
  id: label,
  label,
  cells: columns.map(({ bottom }, index) => ({
    value: row === 1 && index === 2 ? null : 80 + 10 * row + index,
    text: row === 1 && index === 2 ? '' : `${80 + 10 * row + index}`,
    mark:
      row === 1 && index === 2 ? ('missing' as const) : row === 0 && index === 0 ? ('restated' as const) : undefined,
    title: `${label}, ${bottom} Nov`,
  })),
}));

function setUp() {
  const onOpen = vi.fn();
  render(<HeatMap rows={rows} columns={columns} bands={bands} onOpen={(row, column) => onOpen(row.id, column.key)} />);
  const cell = (name: string) => screen.getByRole('cell', { name });
  const stops = () =>
    screen
      .getAllByRole('cell')
      .filter(({ tabIndex }) => tabIndex === 0)
      .map((one) => one.getAttribute('aria-label'));
  const press = (key: string, keys = {}) =>
    document.activeElement && fireEvent.keyDown(document.activeElement, { key, ...keys });
  const at = () => document.activeElement?.getAttribute('aria-label');
  return { onOpen, cell, stops, press, at };
}

it('CEN-5 a heat map is one stop of Tab, at the newest day, and arrows, Home and End go from cell to cell', () => {
  const { cell, stops, press, at } = setUp();
  expect(stops()).toEqual(['MED 3A, 19 Nov']);
  cell('MED 3A, 19 Nov').focus();
  press('ArrowDown');
  expect(at()).toBe('ICU, 19 Nov');
  expect(stops()).toEqual(['ICU, 19 Nov']);
  press('ArrowLeft');
  expect(at()).toBe('ICU, 18 Nov');
  press('Home');
  expect(at()).toBe('ICU, 17 Nov');
  press('ArrowLeft');
  expect(at()).toBe('ICU, 17 Nov');
  press('Home', { ctrlKey: true });
  expect(at()).toBe('MED 3A, 17 Nov');
  press('End', { ctrlKey: true });
  expect(at()).toBe('ICU, 19 Nov');
});

it('CEN-5 Enter, Space and a click open the unit and day of the cell', () => {
  const { cell, press, onOpen } = setUp();
  cell('MED 3A, 18 Nov').focus();
  press('Enter');
  press(' ');
  fireEvent.click(cell('ICU, 17 Nov'));
  expect(onOpen.mock.calls).toEqual([
    ['MED 3A', '2026-11-18'],
    ['MED 3A', '2026-11-18'],
    ['ICU', '2026-11-17'],
  ]);
});

it('CEN-9 numbers stand in the cells, what is missing is hatched and never 0, what was restated is marked', () => {
  const { cell } = setUp();
  expect(cell('MED 3A, 18 Nov').textContent).toBe('81');
  expect(cell('ICU, 19 Nov').textContent).toBe('');
  expect(cell('ICU, 19 Nov').className).toBe('hatch');
  expect(cell('MED 3A, 17 Nov').className).toBe('occ-3 is-restated');
  expect(within(screen.getByRole('grid')).getAllByRole('rowheader')).toHaveLength(2);
});

it('CEN-9 the scale breaks at the target of the facility, and its legend says where', () => {
  expect([59.99, 60, 74.99, 75, 84.99].map((value) => occupancyLevel(value, bands))).toEqual([1, 2, 2, 3, 3]);
  expect([85, 91.99, 92, 99.99, 100, 130].map((value) => occupancyLevel(value, bands))).toEqual([4, 4, 5, 5, 6, 6]);
  expect(formatLevel(bands)).toEqual(['under 60', '60–74', '75–84', '85–91', '92–99', '100 +']);
  expect(formatLevel({ target: 90, high: 91, full: 91 })).toEqual(['under 65', '65–79', '80–89', '90', null, '91 +']);
});
