import type { BoardUnit } from '@wardline/contract/census/board.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Table, type TableColumn } from '@wardline/ui/table/table.tsx';
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { formatCount, formatDecimal, NO_FIGURE } from '#/features/census/core/format-figure.ts';
import { VarianceNote } from '#/features/census/core/variance-note.tsx';
import { EstimateNote } from '../estimates/estimate-note.tsx';
import { byPressure, freeBeds, occupancyOf } from './board-figures.ts';
import { formatCounted, statusWord } from './board-labels.ts';
import type { Board } from './use-board.ts';

interface UnitTableProps {
  readonly board: Board;
  readonly now: number;
  readonly nameOf: (unit: BoardUnit) => string;
  /** The report of a unit; null where one may not open reports. */
  readonly hrefOf: (unit: BoardUnit) => string | null;
}

interface Sorting {
  readonly key: string;
  readonly isDescending: boolean;
}

interface Figure {
  readonly key: string;
  readonly head: string;
  readonly isNumeric: boolean;
  /** What is compared; null is last either way. */
  readonly value: (unit: BoardUnit) => number | string | null;
  readonly cell: (unit: BoardUnit) => ReactNode;
}

/** The board as rows and columns; by pressure until a head is pressed. */
export function UnitTable({ board, now, nameOf, hrefOf }: UnitTableProps) {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const figures = figuresOf({ board, now, nameOf, hrefOf });
  const by = figures.find(({ key }) => key === sorting?.key);
  const rows = by && sorting ? sorted(board.units, by.value, sorting.isDescending) : byPressure(board.units);
  const press = (key: string) =>
    setSorting((old) => (old?.key === key ? { key, isDescending: !old.isDescending } : { key, isDescending: false }));
  const columns = figures.map((figure): TableColumn<BoardUnit> => {
    const isBy = figure.key === sorting?.key;
    return {
      key: figure.key,
      head: <SortHead figure={figure} sorting={isBy ? sorting : null} onPress={() => press(figure.key)} />,
      sorted: isBy && sorting ? (sorting.isDescending ? 'descending' : 'ascending') : undefined,
      cell: figure.cell,
      isNumeric: figure.isNumeric,
    };
  });
  return (
    <Card>
      <Table
        caption="Units"
        columns={columns}
        rows={rows}
        rowKey={({ unit_id, population: name }) => `${unit_id}-${name}`}
      />
    </Card>
  );
}

function figuresOf({ board, now, nameOf, hrefOf }: UnitTableProps): Figure[] {
  const number = (key: string, head: string, value: (unit: BoardUnit) => number | null): Figure => ({
    key,
    head,
    isNumeric: true,
    value,
    cell: (unit) => formatCount(value(unit)),
  });
  return [
    {
      key: 'unit',
      head: 'Unit',
      isNumeric: false,
      value: nameOf,
      cell: (unit) => <UnitName href={hrefOf(unit)}>{nameOf(unit)}</UnitName>,
    },
    number('occupied', 'Occupied', ({ occupied }) => occupied),
    number('staffed', 'Staffed', ({ beds, counts_in_occupancy }) => (counts_in_occupancy ? beds.staffed : null)),
    {
      key: 'percent',
      head: 'Occupied ÷ staffed, %',
      isNumeric: true,
      value: (unit) => asNumber(occupancyOf(unit)),
      cell: (unit) => formatDecimal(occupancyOf(unit)),
    },
    number('free', 'Free', (unit) => (unit.occupied === null || !unit.counts_in_occupancy ? null : freeBeds(unit))),
    number('blocked', 'Blocked', ({ beds, counts_in_occupancy }) => (counts_in_occupancy ? beds.blocked : null)),
    number('in', 'Transfers in', ({ transfers_in }) => transfers_in),
    number('out', 'Transfers out', ({ transfers_out }) => transfers_out),
    {
      key: 'counted',
      head: 'Counted',
      isNumeric: false,
      value: ({ counted_at }) => counted_at,
      cell: (unit) => formatCounted(unit, board, now) ?? NO_FIGURE,
    },
    {
      key: 'status',
      head: 'Report',
      isNumeric: false,
      value: statusWord,
      cell: (unit) => (
        <>
          {statusWord(unit)}
          {unit.estimate && <EstimateNote estimate={unit.estimate} />}
          <VarianceNote variance={unit.variance} reason={unit.variance_reason} reasonFor={unit.variance_for} />
        </>
      ),
    },
  ];
}

function UnitName({ href, children }: { href: string | null; children: ReactNode }) {
  return href === null ? children : <Link href={href}>{children}</Link>;
}

interface SortHeadProps {
  readonly figure: Figure;
  readonly sorting: Sorting | null;
  readonly onPress: () => void;
}

function SortHead({ figure, sorting, onPress }: SortHeadProps) {
  const icon = sorting === null ? ArrowUpDown : sorting.isDescending ? ArrowDown : ArrowUp;
  return (
    <Button variant="ghost" color="neutral" size="xs" trailingIcon={icon} onClick={onPress}>
      {figure.head}
    </Button>
  );
}

function sorted(units: readonly BoardUnit[], value: Figure['value'], isDescending: boolean): BoardUnit[] {
  return units.toSorted((a, b) => {
    const [one, other] = [value(a), value(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    const order =
      typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other));
    return isDescending ? -order : order;
  });
}

function asNumber(text: string | null): number | null {
  return text === null ? null : Number(text);
}
