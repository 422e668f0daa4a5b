import { Button } from '@wardline/ui/button/button.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Table, type TableColumn } from '@wardline/ui/table/table.tsx';
import { Trash2 } from 'lucide-react';
import { shortDay } from '#/features/census/core/period/period.ts';
import { useSaveUnit, useSettingsPlace } from '#/features/census/settings/core/settings-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { BedsForm } from './beds-form.tsx';
import { type BedsFrom, bedsOn, FROM_THE_START, POPULATION_LABELS, type SettingsUnit } from './unit-labels.ts';

/** The beds of a unit from date to date, and the form for the next ones. */
export function UnitBeds({ unit }: { unit: SettingsUnit }) {
  const { settings } = useSettingsPlace();
  const today = settings.clock_fixed.census_date;
  const save = useSaveUnit(unit.unit_id);
  const confirm = useConfirm();
  const remove = ({ population, from }: BedsFrom) =>
    void confirm({
      title: `Remove the beds planned from ${shortDay(from, today)}?`,
      description: 'The beds before them go on instead.',
      confirmLabel: 'Remove',
      async onConfirm() {
        await save({ remove_beds: { population, from } });
        sayDone('Planned beds removed');
      },
    });
  return (
    <>
      <div className="card cs-beds">
        <Table
          caption="Beds from date to date"
          columns={columnsOf(unit, { today, onRemove: settings.may.configure ? remove : null })}
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

interface Wanted {
  readonly today: string;
  /** Null for who may only read. */
  readonly onRemove: ((row: BedsFrom) => void) | null;
}

function columnsOf(unit: SettingsUnit, { today, onRemove }: Wanted): TableColumn<BedsFrom>[] {
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
          {/* Only of what has not begun: the rest is what days were counted with. */}
          {onRemove && row.from > today && (
            <Button
              variant="ghost"
              color="neutral"
              size="sm"
              iconOnly
              icon={Trash2}
              label={`Remove the beds from ${shortDay(row.from, today)}`}
              onClick={() => onRemove(row)}
            />
          )}
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
