import { useState } from 'react';
import { Button } from '#/button/button.tsx';
import { Card } from '#/card/card.tsx';
import { SearchInput } from '#/input/search-input.tsx';
import { Table, type TableColumn } from '#/table/table.tsx';
import type { Specimen } from '../specimen.ts';

type Unit = { name: string; opening: number; arrivals: number; leavings: number; closing: number };

const UNITS: readonly Unit[] = [
  { name: 'MED 3A', opening: 24, arrivals: 6, leavings: 8, closing: 22 },
  { name: 'SUR 2B', opening: 18, arrivals: 9, leavings: 8, closing: 19 },
  { name: 'MAT', opening: 11, arrivals: 4, leavings: 5, closing: 10 },
  { name: 'PED', opening: 8, arrivals: 4, leavings: 3, closing: 9 },
];
const COLUMNS: ReadonlyArray<TableColumn<Unit>> = [
  { key: 'name', head: 'Unit', cell: ({ name }) => name, foot: 'Sum' },
  { key: 'opening', head: 'Opening', cell: ({ opening }) => opening, foot: 61, isNumeric: true },
  { key: 'in', head: 'In', cell: ({ arrivals }) => arrivals, foot: 23, isNumeric: true },
  { key: 'out', head: 'Out', cell: ({ leavings }) => leavings, foot: 24, isNumeric: true },
  { key: 'closing', head: 'Closing', cell: ({ closing }) => <b>{closing}</b>, foot: 60, isNumeric: true },
];
const PLAIN = COLUMNS.map(({ foot: _foot, ...column }) => column);
const acts: TableColumn<Unit> = {
  key: 'acts',
  head: 'Acts',
  isHeadHidden: true,
  cell: ({ name }) => (
    <Button variant="outline" color="neutral" size="sm" label={`Open ${name}`}>
      Open
    </Button>
  ),
};
const rowKey = ({ name }: Unit) => name;

function Whole() {
  return (
    <Card>
      <Table caption="Census of Thu 19 Nov" columns={COLUMNS} rows={UNITS} rowKey={rowKey} />
    </Card>
  );
}

function Stacking() {
  return (
    <Card>
      <Table
        caption="Units, a block each on the phone"
        columns={[...PLAIN, acts]}
        rows={UNITS}
        rowKey={rowKey}
        onPhone="stack"
      />
    </Card>
  );
}

function Long() {
  const rows = Array.from({ length: 40 }, (_, bed) => ({ ...(UNITS[bed % 4] as Unit), name: `Bed ${bed + 1}` }));
  return (
    <Card>
      <Table caption="Beds, a long list" columns={PLAIN} rows={rows} rowKey={rowKey} isDense hasStickyHead />
    </Card>
  );
}

function Empty() {
  const [search, setSearch] = useState('cardiac');
  const found = UNITS.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  return (
    <div className="g-grid">
      <Card>
        <Table
          caption="Nothing there yet"
          columns={PLAIN.slice(0, 3)}
          rows={[]}
          rowKey={rowKey}
          emptyText="Reports show here once a unit sends one."
        />
      </Card>
      <Card>
        <div className="card-pad">
          <SearchInput label="Search units" value={search} onValueChange={setSearch} />
        </div>
        <Table
          caption="Nothing that fits"
          columns={PLAIN.slice(0, 3)}
          rows={found}
          rowKey={rowKey}
          isFiltered
          emptyText={`Nothing fits “${search}”.`}
          emptyAction={
            <Button variant="outline" color="neutral" onClick={() => setSearch('')}>
              Clear filters
            </Button>
          }
        />
      </Card>
    </div>
  );
}

export const specimen: Specimen = {
  id: 'table',
  title: 'Table',
  group: 'Data',
  cases: [
    { name: 'Figures with a sum; scrolls in its own box on the phone', Show: Whole },
    { name: 'Rows that become blocks on the phone', Show: Stacking },
    { name: 'Dense, under a head that stays', Show: Long },
    { name: 'No data, no matching data', Show: Empty },
  ],
};
