import { isReason } from '@wardline/census/rules.ts';
import { REASON_CODES, type ReasonCode } from '@wardline/contract/census/census.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { type FormEvent, useId, useState } from 'react';
import { formatAct } from './act-labels.ts';

interface ReasonDialogProps {
  readonly title: string;
  readonly description: string;
  readonly label: string;
  readonly button: string;
  /** Whether a kind of reason is asked for beside the words. */
  readonly hasCode: boolean;
  /** Does it; what it rejects with is said here. */
  readonly onGiven: (reason: string, code: ReasonCode) => Promise<void>;
  readonly onClose: () => void;
}

const CODES: Readonly<Record<ReasonCode, string>> = {
  late_slip: 'Late slip',
  miscount: 'Miscount',
  wrong_unit: 'Wrong unit',
  wrong_date: 'Wrong date',
  duplicate_entry: 'Entered twice',
  patient_system: 'Patient system was wrong',
  other: 'Other',
};

/** Asks why, before something that has to say why. */
export function ReasonDialog({ title, description, label, button, hasCode, onGiven, onClose }: ReasonDialogProps) {
  const formId = useId();
  const [code, setCode] = useState<ReasonCode | ''>('');
  const [reason, setReason] = useState('');
  const [isTried, setIsTried] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setIsTried(true);
    if (isBusy || !isReason(reason) || (hasCode && code === '')) return;
    setIsBusy(true);
    try {
      await onGiven(reason.trim(), code || 'other');
      onClose();
    } catch (error) {
      setError(formatAct(error));
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={title}
      description={description}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            {button}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" noValidate onSubmit={(event) => void submit(event)}>
        {error && <Banner tone="error">{error}</Banner>}
        {hasCode && (
          <Select
            label="Kind of reason"
            placeholder="Choose one"
            options={REASON_CODES.map((value) => ({ value, label: CODES[value] }))}
            value={code}
            onValueChange={setCode}
            error={isTried && code === '' && 'Choose what comes nearest.'}
          />
        )}
        <Textarea
          label={label}
          help="At least 5 characters. No patient names."
          rows={3}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          error={isTried && !isReason(reason) && 'Enter at least 5 characters.'}
        />
      </form>
    </Dialog>
  );
}
