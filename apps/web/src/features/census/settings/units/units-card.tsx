import { counted } from '@wardline/format/counts.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { SearchInput } from '@wardline/ui/input/search-input.tsx';
import { Table, type TableColumn } from '@wardline/ui/table/table.tsx';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useSettingsPlace } from '#/features/census/settings/core/settings-context.ts';
import { hasEveryWord } from '#/shared/forms/search-text.ts';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import {
  formatActive,
  formatBeds,
  formatCounted,
  formatPeople,
  formatPopulations,
  hasNoReporter,
  type SettingsUnit,
} from './unit-labels.ts';

const UnitDialog = lazyPart(async () => (await import('./unit-dialog.tsx')).UnitDialog, { onMissing: closeMissing });

const AddUnitDialog = lazyPart(async () => (await import('./add-unit-dialog.tsx')).AddUnitDialog, {
  onMissing: closeMissing,
});
const ImportUnitsDialog = lazyPart(async () => (await import('./import-units-dialog.tsx')).ImportUnitsDialog, {
  onMissing: closeMissing,
});
const OrderDialog = lazyPart(async () => (await import('./order-dialog.tsx')).OrderDialog, { onMissing: closeMissing });

/** All units with what they report and who reports for them; each opens to be changed. */
export function UnitsCard() {
  const { settings, lacks } = useSettingsPlace();
  const [search, setSearch] = useState('');
  const [openId, setOpenId] = useState<string | null>(null);
  const [act, setAct] = useState<'add' | 'import' | 'order' | null>(null);
  const close = () => setAct(null);
  const shown = settings.units.filter(({ unit_code, unit_name, people }) =>
    hasEveryWord(`${unit_code} ${unit_name} ${people.map(({ name }) => name).join(' ')}`, search.trim()),
  );
  const open = settings.units.find(({ unit_id }) => unit_id === openId);
  const openLabel = lacks === null ? 'Edit' : 'View';
  return (
    <Card>
      <div className="cs-search">
        <SearchInput label="Search units and people" value={search} onValueChange={setSearch} maxLength={80} />
        <span className="t13 muted" role="status">
          {search.trim() !== '' && `${shown.length} of `}
          {counted(settings.units.length, 'unit')}
        </span>
        {lacks === null && (
          <span className="row wrap">
            <Button size="sm" icon={Plus} onClick={() => setAct('add')}>
              Add unit
            </Button>
            <Button size="sm" variant="outline" color="neutral" onClick={() => setAct('import')}>
              Import
            </Button>
            {settings.units.length > 1 && (
              <Button size="sm" variant="outline" color="neutral" onClick={() => setAct('order')}>
                Order
              </Button>
            )}
          </span>
        )}
      </div>
      <Table
        caption="Units and their beds"
        columns={columnsOf({ date: settings.clock_fixed.census_date, act: openLabel, onOpen: setOpenId })}
        rows={shown}
        rowKey={({ unit_id }) => unit_id}
        isFiltered={search.trim() !== ''}
        emptyText={lacks === null ? 'Add your units one by one, or import them from a file.' : undefined}
        onPhone="stack"
      />
      {act === 'add' && <AddUnitDialog onClose={close} />}
      {act === 'import' && <ImportUnitsDialog onClose={close} />}
      {act === 'order' && <OrderDialog onClose={close} />}
      {open && <UnitDialog key={open.unit_id} unit={open} onClose={() => setOpenId(null)} />}
    </Card>
  );
}

interface Wanted {
  /** The census date under way, of which the beds are told. */
  readonly date: string;
  readonly act: string;
  readonly onOpen: (unitId: string) => void;
}

function columnsOf({ date, act, onOpen }: Wanted): TableColumn<SettingsUnit>[] {
  return [
    {
      key: 'unit',
      head: 'Unit',
      cell: ({ unit_code, unit_name }) => (
        <>
          {unit_code} <span className="t12 muted cs-name">{unit_name}</span>
        </>
      ),
    },
    {
      key: 'populations',
      head: 'Reports',
      cell: (unit) => (
        <>
          {formatPopulations(unit)} <span className="t12 muted cs-name">{formatCounted(unit)}</span>
        </>
      ),
    },
    { key: 'beds', head: 'Beds now', cell: (unit) => formatBeds(unit, date) },
    { key: 'active', head: 'Active', cell: formatActive },
    {
      key: 'people',
      head: 'People',
      cell: (unit) => (
        <>
          {formatPeople(unit)}
          {hasNoReporter(unit) && <span className="t12 muted cs-name"> Can’t report</span>}
        </>
      ),
    },
    {
      key: 'open',
      head: act,
      isHeadHidden: true,
      cell: ({ unit_id, unit_code }) => (
        <Button
          variant="outline"
          color="neutral"
          size="sm"
          label={`${act} ${unit_code}`}
          onClick={() => onOpen(unit_id)}
        >
          {act}
        </Button>
      ),
    },
  ];
}
