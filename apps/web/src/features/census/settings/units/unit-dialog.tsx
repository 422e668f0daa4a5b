import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Trash2 } from 'lucide-react';
import { ReadOnlyNote } from '#/features/census/settings/core/read-only-note.tsx';
import { useDeleteUnit, useSettingsPlace } from '#/features/census/settings/core/settings-context.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { UnitBeds } from './unit-beds.tsx';
import type { SettingsUnit } from './unit-labels.ts';
import { UnitNamesForm } from './unit-names.tsx';
import { UnitPeople } from './unit-people.tsx';
import { UnitReports } from './unit-reports.tsx';

interface UnitDialogProps {
  readonly unit: SettingsUnit;
  readonly onClose: () => void;
}

/** One unit: what it reports, who reports for it, and its beds from date to date; each part is saved by itself. */
export function UnitDialog({ unit, onClose }: UnitDialogProps) {
  const { lacks, unsaved } = useSettingsPlace();
  const confirm = useConfirm();
  const close = async () => {
    const isUnsaved = [...unsaved].some((id) => id.startsWith('unit-'));
    if (isUnsaved && !(await confirm(discarding(unit)))) return;
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && void close()}
      closesOutside={false}
      size="lg"
      closeLabel="Close"
      title={unit.unit_code}
      description={unit.unit_name}
    >
      <ReadOnlyNote />
      <div className="stack stack-6 cs-unit">
        <section className="stack stack-3" aria-labelledby="cs-names">
          <h3 id="cs-names">Name and kind</h3>
          <UnitNamesForm unit={unit} />
        </section>
        <section className="stack stack-3" aria-labelledby="cs-reports">
          <h3 id="cs-reports">Reports</h3>
          <UnitReports unit={unit} />
        </section>
        <section className="stack stack-3" aria-labelledby="cs-people">
          <h3 id="cs-people">People</h3>
          <UnitPeople unit={unit} />
        </section>
        <section className="stack stack-3" aria-labelledby="cs-beds">
          <h3 id="cs-beds">Beds</h3>
          <UnitBeds unit={unit} />
        </section>
        {lacks === null && <DeleteUnit unit={unit} onDeleted={onClose} />}
      </div>
    </Dialog>
  );
}

/** For a unit that was added by mistake. */
function DeleteUnit({ unit, onDeleted }: { unit: SettingsUnit; onDeleted: () => void }) {
  const remove = useDeleteUnit(unit.unit_id);
  const confirm = useConfirm();
  const ask = async () => {
    const isDone = await confirm({
      title: `Delete ${unit.unit_code}?`,
      description: `${unit.unit_name} goes with its beds and who reports for it. The log keeps that it was there.`,
      confirmLabel: 'Delete unit',
      onConfirm: remove,
    });
    if (isDone) onDeleted();
  };
  return (
    <section className="stack stack-3" aria-labelledby="cs-delete">
      <h3 id="cs-delete">Delete</h3>
      <p className="t13 muted">
        For a unit that was added by mistake. One that has reported stays: give it a last day under Reports.
      </p>
      <div>
        <Button icon={Trash2} variant="outline" color="error" onClick={() => void ask()}>
          Delete this unit
        </Button>
      </div>
    </section>
  );
}

function discarding({ unit_code }: SettingsUnit) {
  return {
    title: `Close ${unit_code} without saving?`,
    description: 'What you entered and did not save is lost.',
    confirmLabel: 'Close without saving',
    cancelLabel: 'Keep editing',
    onConfirm: async () => undefined,
  };
}
