// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Table, type TableColumn } from '#/table/table.tsx';

afterEach(cleanup);

type Unit = { name: string; closing: number };
const columns: ReadonlyArray<TableColumn<Unit>> = [
  { key: 'name', head: 'Unit', cell: ({ name }) => name, foot: 'Sum' },
  { key: 'closing', head: 'Closing', cell: ({ closing }) => closing, foot: 41, isNumeric: true },
  { key: 'acts', head: 'Acts', cell: ({ name }) => <button type="button">Open {name}</button>, isHeadHidden: true },
];
const rows: readonly Unit[] = [
  { name: 'MED 3A', closing: 22 },
  { name: 'SUR 2B', closing: 19 },
];
const table = (changes: { rows?: readonly Unit[]; isFiltered?: boolean } = {}) => (
  <Table caption="Units" columns={columns} rows={rows} rowKey={({ name }) => name} {...changes} />
);

it("UI-1 an empty table says 'No data', one that is filtered says 'No matching data', each under its heads", () => {
  const { rerender } = render(table({ rows: [] }));
  expect(screen.getByRole('heading').textContent).toBe('No data');
  expect(screen.getAllByRole('columnheader')).toHaveLength(3);
  rerender(table({ rows: [], isFiltered: true }));
  expect(screen.getByRole('heading').textContent).toBe('No matching data');
  rerender(table({ isFiltered: true }));
  expect(screen.queryByRole('heading')).toBeNull();
});

it('SHELL-8 a table is named, its rows have heads, its figures stand in columns, and what scrolls takes the keyboard', () => {
  render(table());
  const found = screen.getByRole('table', { name: 'Units' });
  expect(
    within(found)
      .getAllByRole('rowheader')
      .map((head) => head.textContent),
  ).toEqual(['MED 3A', 'SUR 2B', 'Sum']);
  expect(within(found).getByRole('columnheader', { name: 'Closing' }).className).toBe('n');
  expect([...found.querySelectorAll('td.n .table-value')].map((cell) => cell.textContent)).toEqual(['22', '19', '41']);
  expect(within(found).getByRole('columnheader', { name: 'Acts' })).toBeDefined();
  expect(screen.getByRole('region', { name: 'Units' }).tabIndex).toBe(0);
});
