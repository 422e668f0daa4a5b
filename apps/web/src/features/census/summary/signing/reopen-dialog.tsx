import { isReason } from '@wardline/census/rules.ts';
import type { ReasonCode } from '@wardline/contract/census/census.ts';
import { type FacilityDay, reopenFacilityDay } from '@wardline/contract/census/day.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Select, type SelectOption } from '@wardline/ui/input/select.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { useDayChange } from '#/features/census/core/changes/use-day-change.ts';
import { mustBeReason, TOO_SHORT } from '#/features/census/core/must-be-reason.ts';
import { shortDay } from '#/features/census/core/period/period.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { refusal } from '#/shared/errors/refusal.ts';
import { useForm } from '#/shared/forms/use-form.ts';

interface ReopenDialogProps {
  readonly day: FacilityDay;
  readonly onClose: () => void;
}

const REASONS: ReadonlyArray<SelectOption<ReasonCode>> = [
  { value: 'late_slip', label: 'Late slip' },
  { value: 'miscount', label: 'Miscount' },
  { value: 'wrong_unit', label: 'Wrong unit' },
  { value: 'wrong_date', label: 'Wrong date' },
  { value: 'duplicate_entry', label: 'Entered twice' },
  { value: 'patient_system', label: 'Patient system was wrong' },
  { value: 'other', label: 'Other' },
];

const NOT_CHOSEN = 'Choose a reason.';

/** Opens a signed day for corrections: never without a reason. */
export function ReopenDialog({ day, onClose }: ReopenDialogProps) {
  const call = useCall();
  const change = useDayChange(day);
  const formId = useId();
  const [clientId] = useState(() => uuidv7());
  const [code, setCode] = useState<ReasonCode | ''>('');
  const name = shortDay(day.census_date);
  const { props, error, isBusy } = useForm({
    names: ['reason_code', 'reason'],
    async send({ reason }) {
      if (code === '') throw refusal({ reason_code: NOT_CHOSEN, ...(!isReason(reason) && { reason: TOO_SHORT }) });
      mustBeReason(reason);
      await change(() =>
        call(reopenFacilityDay, {
          params: { facility: day.facility_id, date: day.census_date },
          body: { client_id: clientId, version: day.version, reason_code: code, reason },
        }),
      );
      sayDone(`${name} is reopened`);
      onClose();
    },
  });
  const wrongCode = error.fields.reason_code;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={`Reopen ${name}?`}
      description="Its reports can be corrected one by one, and the day has to be signed again. What was signed stays in the log."
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            Reopen {name}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        <Select
          label="Reason"
          name="reason_code"
          options={REASONS}
          value={code}
          placeholder="Choose"
          onValueChange={setCode}
          error={code !== '' && wrongCode === NOT_CHOSEN ? undefined : wrongCode}
        />
        <Textarea label="Details" name="reason" rows={3} maxLength={500} error={error.fields.reason} />
      </form>
    </Dialog>
  );
}
