import './styles/chart.css';
import { memo, type ReactNode, useLayoutEffect } from 'react';
import { GridTable } from '#/chart/grid-table.tsx';
import { HeatLegend } from '#/chart/heat-legend.tsx';
import { type OccupancyBands, occupancyLevel } from '#/chart/occupancy-level.ts';
import { classNames } from '#/class-names.ts';
import { useGridKeys } from '#/table/use-grid-keys.ts';

export type HeatCell = {
  /** Per cent of the beds; null where there is none. */
  value: number | null;
  /** The number in the cell. */
  text: string;
  mark?: 'missing' | 'restated' | 'none' | undefined;
  /** The cell in words: unit, day, numbers. */
  title: string;
};
export type HeatRow = { id: string; label: string; cells: readonly HeatCell[] };
export type HeatColumn = { key: string; top: string; bottom: string; isWeekend: boolean };

export type HeatMapProps = {
  /** Names the grid. */
  label?: string | undefined;
  rows: readonly HeatRow[];
  columns: readonly HeatColumn[];
  bands: OccupancyBands;
  /** Of which the numbers are per cent, for the legend: 'staffed beds'. */
  ofWhat?: string | undefined;
  /** In place of that, where the colours mean something else. */
  legend?: ReactNode;
  /** Where one begins to look: at the newest days, or at the first hour. */
  begin?: 'end' | 'start' | undefined;
  onOpen?: ((row: HeatRow, column: HeatColumn) => void) | undefined;
};

/** Rows by days or hours, coloured by occupancy with a break at the target, or by how much. One stop of Tab, arrows from cell to cell. */
export function HeatMap(props: HeatMapProps) {
  const { label = 'Occupancy by unit and day', rows, columns, bands, ofWhat = 'staffed beds', onOpen } = props;
  const last = props.begin === 'start' ? 0 : columns.length - 1;
  const grid = useGridKeys(
    { rows: rows.length, columns: columns.length },
    { row: 0, column: last },
    ({ row, column }) => {
      const [of, at] = [rows[row], columns[column]];
      if (of && at) onOpen?.(of, at);
    },
  );
  // The newest days are at the end, and they are what one looks for.
  useLayoutEffect(() => {
    const box = grid.ref.current?.parentElement;
    if (box && last > 0) box.scrollLeft = box.scrollWidth;
  }, [grid.ref, last]);
  return (
    <div className="hm-wrap">
      <div className="hm-box">
        <GridTable grid={grid} label={label} look="hm" isOpening={onOpen !== undefined}>
          <Head columns={columns} />
          <tbody>
            {rows.map((row, index) => (
              <Row
                key={row.id}
                row={row}
                index={index}
                bands={bands}
                stop={grid.at.row === index ? grid.at.column : null}
              />
            ))}
          </tbody>
        </GridTable>
      </div>
      {props.legend ?? <HeatLegend bands={bands} ofWhat={ofWhat} />}
    </div>
  );
}

const Head = memo(function Head({ columns }: { columns: readonly HeatColumn[] }) {
  return (
    <thead>
      <tr>
        <td className="hm-corner" />
        {columns.map(({ key, top, bottom, isWeekend }) => (
          <th key={key} scope="col" className={isWeekend ? 'is-weekend' : undefined}>
            <span className="hm-top">{top}</span>
            {bottom}
          </th>
        ))}
      </tr>
    </thead>
  );
});

type RowProps = { row: HeatRow; index: number; bands: OccupancyBands; stop: number | null };

// Thousands of cells: a step of the focus draws the two rows it concerns.
const Row = memo(function Row({ row, index, bands, stop }: RowProps) {
  return (
    <tr>
      <th scope="row">{row.label}</th>
      {row.cells.map((cell, column) => (
        <td
          // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
          key={column}
          data-cell={`${index}:${column}`}
          className={cellLook(cell, bands)}
          tabIndex={stop === column ? 0 : -1}
          aria-label={cell.title}
          title={cell.title}
        >
          {cell.text}
        </td>
      ))}
    </tr>
  );
});

function cellLook({ value, mark }: HeatCell, bands: OccupancyBands): string {
  return classNames(
    mark === 'missing' ? 'hatch' : value !== null && `occ-${occupancyLevel(value, bands)}`,
    mark === 'restated' && 'is-restated',
  );
}
