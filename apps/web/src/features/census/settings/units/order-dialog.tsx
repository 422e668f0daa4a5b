import { orderCensusUnits } from '@wardline/contract/census/settings.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import { useSettingsPlace } from '#/features/census/settings/core/settings-context.ts';
import { useAction } from '#/shared/forms/use-action.ts';

/** The order of the units in every list, moved one place at a time. */
export function OrderDialog({ onClose }: { readonly onClose: () => void }) {
  const { facility, settings, save } = useSettingsPlace();
  const [units, setUnits] = useState(settings.units);
  const [moved, setMoved] = useState('');
  const store = useAction(async () => {
    const unit_ids = units.map(({ unit_id }) => unit_id);
    await save((call, version) =>
      call(orderCensusUnits, { params: { facility: facility.id }, body: { version, unit_ids } }),
    );
    onClose();
  });
  const move = (from: number, by: 1 | -1) => {
    const unit = units[from];
    if (!unit) return;
    setUnits(units.toSpliced(from, 1).toSpliced(from + by, 0, unit));
    setMoved(`${unit.unit_code} is number ${from + by + 1} of ${units.length}.`);
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title="Order of the units"
      description="As they stand in every list, on the board and on the sheets."
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button isLoading={store.isBusy} onClick={store.run}>
            Save order
          </Button>
        </>
      }
    >
      {store.error && <Banner tone="error">{store.error}</Banner>}
      <p className="sr" role="status">
        {moved}
      </p>
      <ol className="list">
        {units.map(({ unit_id, unit_code, unit_name }, place) => (
          <li key={unit_id}>
            <ListRow
              title={unit_code}
              text={unit_name}
              trailing={
                <>
                  <Button
                    variant="ghost"
                    color="neutral"
                    iconOnly
                    icon={ArrowUp}
                    label={`Move ${unit_code} up`}
                    disabled={place === 0}
                    onClick={() => move(place, -1)}
                  />
                  <Button
                    variant="ghost"
                    color="neutral"
                    iconOnly
                    icon={ArrowDown}
                    label={`Move ${unit_code} down`}
                    disabled={place === units.length - 1}
                    onClick={() => move(place, 1)}
                  />
                </>
              }
            />
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
