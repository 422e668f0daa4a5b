import { SearchX, Table2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '#/class-names.ts';
import { EmptyState } from '#/notice/empty-state.tsx';

export type TableColumn<Row> = {
  /** Names the column among the others. */
  key: string;
  head: ReactNode;
  /** By which way the rows stand in the order of this column. */
  sorted?: 'ascending' | 'descending' | undefined;
  cell: (row: Row) => ReactNode;
  /** Stands in the last line, under a stronger rule. */
  foot?: ReactNode;
  /** Figures: right-aligned, all of one width. */
  isNumeric?: boolean | undefined;
  isCentred?: boolean | undefined;
  /** What the row is about; by default the first column. */
  isRowHead?: boolean | undefined;
  /** The head is only said: over buttons. */
  isHeadHidden?: boolean | undefined;
};

export type TableProps<Row> = {
  /** Names the table for a screen reader. */
  caption: string;
  columns: ReadonlyArray<TableColumn<Row>>;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Whether a search or a filter narrows the rows: none then means 'No matching data'. */
  isFiltered?: boolean | undefined;
  /** Under 'No data': what will show here and how to get it there. */
  emptyText?: ReactNode;
  /** A button under it: to begin, or to clear the filters. */
  emptyAction?: ReactNode;
  isDense?: boolean | undefined;
  /** The head stays in view while the rows scroll inside the table's own box. */
  hasStickyHead?: boolean | undefined;
  /** The first column stays in view while the others scroll sideways: for short names. */
  hasStickyRowHead?: boolean | undefined;
  /** On the phone a table scrolls sideways in its own box (default), or each row becomes a block of lines. */
  onPhone?: 'scroll' | 'stack' | undefined;
};

/** Rows and columns. Where nothing is it says 'No data', where nothing fits 'No matching data'. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, isFiltered = false, isDense, onPhone = 'scroll' } = props;
  const { hasStickyHead, hasStickyRowHead } = props;
  const hasFoot = rows.length > 0 && columns.some(({ foot }) => foot !== undefined);
  // What scrolls must be within reach of the keyboard.
  const reach = rows.length > 0 ? { tabIndex: 0 } : {};
  return (
    <section
      className={classNames('table-box', hasStickyHead && 'has-sticky-head', hasStickyRowHead && 'has-sticky-row-head')}
      aria-label={caption}
      {...reach}
    >
      <table className={classNames('table', isDense && 'is-dense', onPhone === 'stack' && 'is-stacking')}>
        <caption className="sr">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={look(column)} aria-sort={column.sorted}>
                {column.isHeadHidden ? <span className="sr">{column.head}</span> : column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) => (
                <Cell column={column} isHead={column.isRowHead ?? index === 0} key={column.key}>
                  {column.cell(row)}
                </Cell>
              ))}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr>
              <td className="table-empty" colSpan={columns.length}>
                <EmptyState
                  icon={isFiltered ? SearchX : Table2}
                  title={isFiltered ? 'No matching data' : 'No data'}
                  level={3}
                  action={props.emptyAction}
                >
                  {props.emptyText}
                </EmptyState>
              </td>
            </tr>
          )}
        </tbody>
        {hasFoot && (
          <tfoot>
            <tr>
              {columns.map((column, index) => (
                <Cell column={column} isHead={index === 0} key={column.key}>
                  {column.foot}
                </Cell>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}

type CellProps<Row> = { column: TableColumn<Row>; isHead: boolean; children: ReactNode };

function Cell<Row>({ column, isHead, children }: CellProps<Row>) {
  if (isHead) {
    return (
      <th scope="row" className={look(column)}>
        {children}
      </th>
    );
  }
  return (
    <td className={look(column)}>
      <span className="table-label" aria-hidden="true">
        {column.isHeadHidden ? '' : column.head}
      </span>
      <span className="table-value">{children}</span>
    </td>
  );
}

function look<Row>({ isNumeric, isCentred }: TableColumn<Row>): string | undefined {
  return classNames(isNumeric && 'n', isCentred && 'is-centred') || undefined;
}
