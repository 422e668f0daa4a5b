import { useRouter } from '@tanstack/react-router';
import { serverNow } from '@wardline/client/server-clock.ts';
import type { Population } from '@wardline/contract/census/census.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { RadioGroup } from '@wardline/ui/input/radio-group.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { type FormEvent, useId, useState } from 'react';
import { reportPath } from '#/features/census/core/census-paths.ts';
import { dayIn } from '#/shared/time/zoned-time.ts';
import type { ReportPlace } from './engine/report-unit.ts';
import { useKeptUnits } from './engine/use-reports.ts';

interface OpenReportDialogProps {
  readonly facility: Facility;
  readonly shown: ReportPlace | null;
  readonly onClose: () => void;
}

/** Goes to the report of any unit and date. */
export function OpenReportDialog({ facility, shown, onClose }: OpenReportDialogProps) {
  const router = useRouter();
  const formId = useId();
  const units = useKeptUnits(facility.id).data?.value ?? [];
  const today = dayIn(facility.time_zone, serverNow());
  const [unit, setUnit] = useState(shown?.unit ?? '');
  const [date, setDate] = useState(shown?.date ?? today);
  const [of, setOf] = useState<Population>(shown?.population ?? 'adult_and_child');
  const [isTried, setIsTried] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (unit === '' || date === '') return;
    onClose();
    void router.navigate({ href: reportPath({ unit, date, population: of }) });
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Another report"
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId}>
            Open
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" noValidate onSubmit={submit}>
        <Select
          label="Unit"
          placeholder="Choose a unit"
          options={units.map(({ id, code, name }) => ({ value: id, label: `${code} · ${name}` }))}
          value={unit}
          onValueChange={setUnit}
          error={isTried && unit === '' && 'Choose a unit.'}
        />
        <TextInput
          label="Census date"
          type="date"
          max={today}
          value={date}
          onChange={(event) => setDate(event.target.value)}
          error={isTried && date === '' && 'Choose a date.'}
        />
        <RadioGroup
          label="Whom it counts"
          isInline
          value={of}
          onValueChange={setOf}
          choices={[
            { value: 'adult_and_child', label: 'Adults and children' },
            { value: 'newborn', label: 'Newborns' },
          ]}
        />
      </form>
    </Dialog>
  );
}
