import './styles/chart.css';
import { GridTable } from '#/chart/grid-table.tsx';
import { useGridKeys } from '#/table/use-grid-keys.ts';

export type MatrixUnit = {
  id: string;
  label: string;
  /** Nothing of it has been reported: what it sent and received is not known, also where no cell says so. */
  isOut?: boolean | undefined;
};
export type MatrixCell = {
  from: string;
  to: string;
  /** What the sender says; null: nothing said. */
  out: number | null;
  /** What the receiver says. */
  in: number | null;
  /** One side has not reported, so that nothing can disagree yet. */
  isMissing: boolean;
  /** By how many patients the sides differ day by day; over several days that may cancel out in their sums. */
  gap?: number | undefined;
};

export type TransferMatrixProps = {
  label?: string | undefined;
  units: readonly MatrixUnit[];
  cells: readonly MatrixCell[];
  format?: ((count: number) => string) | undefined;
  onOpen?: ((from: MatrixUnit, to: MatrixUnit) => void) | undefined;
};

/** Who sent how many to whom: senders as rows, receivers as columns; what the two sides count differently is ringed. */
export function TransferMatrix(props: TransferMatrixProps) {
  const { label = 'Transfers, from and to', units, cells, format = String, onOpen } = props;
  const byPlace = new Map(cells.map((cell) => [placeKey(cell.from, cell.to), cell]));
  const grid = useGridKeys(
    { rows: units.length, columns: units.length },
    { row: 0, column: units.length > 1 ? 1 : 0 },
    ({ row, column }) => {
      const [from, to] = [units[row], units[column]];
      if (from && to) onOpen?.(from, to);
    },
  );
  return (
    <div className="mx-wrap">
      <div className="mx-box">
        <GridTable grid={grid} label={label} look="mx" isOpening={onOpen !== undefined}>
          <thead>
            <tr>
              <th scope="col">From, to</th>
              {units.map((unit) => (
                <th key={unit.id} scope="col">
                  {unit.label}
                </th>
              ))}
              <th scope="col" className="mx-sum">
                Sent
              </th>
            </tr>
          </thead>
          <tbody>
            {units.map((from, row) => (
              <tr key={from.id}>
                <th scope="row">{from.label}</th>
                {units.map((to, column) =>
                  from.id === to.id ? (
                    <td key={to.id} className="mx-self" />
                  ) : (
                    <Cell
                      key={to.id}
                      ends={[from, to]}
                      cell={byPlace.get(placeKey(from.id, to.id))}
                      place={`${row}:${column}`}
                      isStop={grid.at.row === row && grid.at.column === column}
                      format={format}
                    />
                  ),
                )}
                <td className="mx-sum">
                  {formatSum(
                    from,
                    cells.filter((cell) => cell.from === from.id).map((cell) => cell.out),
                    format,
                  )}
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Received</th>
              {units.map((to) => (
                <td key={to.id} className="mx-sum">
                  {formatSum(
                    to,
                    cells.filter((cell) => cell.to === to.id).map((cell) => cell.in),
                    format,
                  )}
                </td>
              ))}
              <td />
            </tr>
          </tfoot>
        </GridTable>
      </div>
      <Legend cells={cells} />
    </div>
  );
}

type CellProps = {
  ends: readonly [MatrixUnit, MatrixUnit];
  cell: MatrixCell | undefined;
  place: string;
  isStop: boolean;
  format: (count: number) => string;
};

function Cell({ ends: [from, to], cell, place, isStop, format }: CellProps) {
  const way = `${from.label} to ${to.label}`;
  const common = { 'data-cell': place, tabIndex: isStop ? 0 : -1 };
  if (!cell || (!cell.out && !cell.in && !cell.isMissing)) {
    return (
      <td {...common} className="mx-none">
        <span className="sr">{`${way}: none`}</span>
        <span aria-hidden="true">·</span>
      </td>
    );
  }
  const text = (count: number | null, none: string) => (count === null ? none : format(count));
  const said = `${way}: sent ${text(cell.out, 'not said')}, received ${text(cell.in, 'not said')}`;
  if (cell.isMissing) {
    return (
      <td {...common} className="hatch">
        <span className="sr">{`${said}, one side has not reported`}</span>
        <span className="mx-one" aria-hidden="true">
          {text(cell.out ?? cell.in, '–')}
        </span>
      </td>
    );
  }
  if (isGap(cell)) {
    return (
      <td {...common} className="mx-gap">
        <span className="sr">{`${said}, they disagree${cell.out === cell.in ? ' on single days' : ''}`}</span>
        <span aria-hidden="true">
          <b>{text(cell.out, '–')}</b> · <i>{text(cell.in, '–')}</i>
        </span>
      </td>
    );
  }
  return (
    <td {...common} className="mx-some">
      <span className="sr">{said}</span>
      <span aria-hidden="true">{text(cell.out, '–')}</span>
    </td>
  );
}

function Legend({ cells }: { cells: readonly MatrixCell[] }) {
  return (
    <div className="mx-legend">
      {cells.some(isGap) && (
        <span className="hm-sign">
          <span className="mx-gap mx-swatch">
            <b>2</b> · <i>1</i>
          </span>
          sent 2, received 1
        </span>
      )}
      {cells.some(({ isMissing }) => isMissing) && (
        <span className="hm-sign">
          <i className="hm-swatch hatch" />
          one side only, the other has not reported
        </span>
      )}
    </div>
  );
}

function isGap(cell: MatrixCell): boolean {
  return !cell.isMissing && ((cell.out ?? 0) !== (cell.in ?? 0) || (cell.gap ?? 0) > 0);
}

function placeKey(from: string, to: string): string {
  return `${from} ${to}`;
}

/** What nobody has said is not none. */
function formatSum(
  { isOut }: MatrixUnit,
  counts: readonly (number | null)[],
  format: (count: number) => string,
): string {
  const said = counts.filter((count) => count !== null);
  if (said.length === 0 && (counts.length > 0 || isOut)) return '–';
  return format(said.reduce((total, count) => total + count, 0));
}
