import { addDays } from '@wardline/census/calendar.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Chip } from '@wardline/ui/mark/chip.tsx';
import { type FormEvent, useId, useState } from 'react';

interface DateRangeDialogProps {
  readonly title: string;
  readonly description: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly today: string;
  readonly onChoose: (from: string | null, to: string | null) => void;
  readonly onClose: () => void;
}

/** Chooses the dates that a list is narrowed to. */
export function DateRangeDialog({ title, description, today, onChoose, onClose, ...given }: DateRangeDialogProps) {
  const [from, setFrom] = useState(given.from ?? '');
  const [to, setTo] = useState(given.to ?? '');
  const formId = useId();
  const isBackwards = from !== '' && to !== '' && from > to;
  const last = (days: number) => {
    setFrom(addDays(today, 1 - days));
    setTo(today);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBackwards) return;
    onChoose(from === '' ? null : from, to === '' ? null : to);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={description}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId}>
            Show
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" onSubmit={submit}>
        <div className="chips">
          {[7, 30, 90].map((days) => (
            <Chip key={days} onClick={() => last(days)}>
              Last {days} days
            </Chip>
          ))}
        </div>
        <TextInput
          label="From"
          type="date"
          value={from}
          max="9999-12-31"
          onChange={(event) => setFrom(event.target.value)}
        />
        <TextInput
          label="To"
          type="date"
          value={to}
          max="9999-12-31"
          error={isBackwards ? 'This is before the first date.' : undefined}
          onChange={(event) => setTo(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
