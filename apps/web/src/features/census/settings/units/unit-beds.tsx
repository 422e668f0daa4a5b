import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Table, type TableColumn } from '@wardline/ui/table/table.tsx';
import { shortDay } from '#/features/census/core/period/period.ts';
import { useSettingsPlace } from '#/features/census/settings/core/settings-context.ts';
import { BedsForm } from './beds-form.tsx';
import { type BedsFrom, bedsOn, FROM_THE_START, POPULATION_LABELS, type SettingsUnit } from './unit-labels.ts';

/** The beds of a unit from date to date, and the form for the next ones. */
export function UnitBeds({ unit }: { unit: SettingsUnit }) {
  const { settings } = useSettingsPlace();
  const today = settings.clock_fixed.census_date;
  return (
    <>
      <div className="card cs-beds">
        <Table
          caption="Beds from date to date"
          columns={columnsOf(unit, today)}
          rows={unit.beds.toReversed()}
          rowKey={(row) => `${row.population} ${row.from}`}
          isDense
          emptyText="This unit has no beds yet."
        />
      </div>
      {settings.may.configure && <BedsForm unit={unit} today={today} />}
    </>
  );
}

function columnsOf(unit: SettingsUnit, today: string): TableColumn<BedsFrom>[] {
  const hasPopulations = new Set(unit.beds.map((row) => row.population)).size > 1;
  return [
    {
      key: 'from',
      head: 'From',
      cell: (row) => (
        <>
          {row.from === FROM_THE_START ? 'The start' : shortDay(row.from, today)}{' '}
          {row === bedsOn(unit, row.population, today) && <Badge>Now</Badge>}
          {row.from > today && <Badge tone="info">Planned</Badge>}
        </>
      ),
    },
    ...(hasPopulations
      ? [{ key: 'population', head: 'Population', cell: (row: BedsFrom) => POPULATION_LABELS[row.population] }]
      : []),
    { key: 'licensed', head: 'Licensed', isNumeric: true, cell: (row) => row.licensed },
    { key: 'physical', head: 'Physical', isNumeric: true, cell: (row) => row.physical },
    { key: 'staffed', head: 'Staffed', isNumeric: true, cell: (row) => row.staffed },
    { key: 'surge', head: 'Surge', isNumeric: true, cell: (row) => row.surge },
    { key: 'reason', head: 'Reason', cell: (row) => row.reason ?? '' },
  ];
}
