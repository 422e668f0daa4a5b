import { firstInstant } from '@wardline/census/calendar.ts';
import { statusOf } from '@wardline/client/http/api-error.ts';
import { acceptUnknownStay, dismissUnknownStay, type UnknownStay } from '@wardline/contract/census-feed.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { mustBeReason, TOO_SHORT } from '#/features/census/core/must-be-reason.ts';
import { useRefresh } from '#/features/census/core/summary-queries.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { unknownStaySentence } from './unknown-stay-labels.ts';

interface StayDialogProps {
  readonly facilityId: string;
  readonly stay: UnknownStay;
  readonly newest: string;
  readonly zone: string;
  readonly units: readonly { readonly id: string; readonly code: string }[];
  readonly onClose: () => void;
}

/** Says that they were in: since when, and where, if the message does not say it. */
export function CountDialog({ facilityId, stay, newest, zone, units, onClose }: StayDialogProps) {
  const call = useCall();
  const refresh = useRefresh(facilityId);
  const formId = useId();
  const [clientId] = useState(() => uuidv7());
  const [unitId, setUnitId] = useState('');
  const asksUnit = stay.unit_id === null;
  const { props, error, isBusy } = useForm({
    names: ['unit_id', 'admitted_at'],
    required: asksUnit ? { unit_id: 'Choose the unit where the patient was.' } : {},
    async send({ admitted_at }) {
      const at = readLocal(admitted_at, zone);
      try {
        await call(acceptUnknownStay, {
          params: { facility: facilityId, stay: stay.id },
          body: {
            ...{ client_id: clientId, version: stay.version },
            ...(asksUnit && { unit_id: unitId }),
            ...(at && { admitted_at: at }),
          },
        });
      } catch (error) {
        if (statusOf(error) === 409) void refresh();
        throw error;
      }
      sayDone('Counted');
      onClose();
      await refresh();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title="Was this patient in?"
      description={`${unknownStaySentence(stay, { newest, zone })} The patient system finds the patient by the message. It counts then; signed reports stay as they are.`}
      footer={<Buttons formId={formId} isBusy={isBusy} label="Yes, count it" onClose={onClose} />}
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        {asksUnit && (
          <Select
            label="Unit where the patient was"
            name="unit_id"
            placeholder="Choose a unit"
            options={units.map(({ id, code }) => ({ value: id, label: code }))}
            value={unitId}
            onValueChange={setUnitId}
            error={error.fields.unit_id}
          />
        )}
        <TextInput
          label="Admitted"
          name="admitted_at"
          type="datetime-local"
          help="Optional. Without it, before the patient system was started."
          error={error.fields.admitted_at}
        />
      </form>
    </Dialog>
  );
}

/** Says that they were not in: never without a reason. */
export function LeaveOutDialog({ facilityId, stay, newest, zone, onClose }: StayDialogProps) {
  const call = useCall();
  const refresh = useRefresh(facilityId);
  const formId = useId();
  const [clientId] = useState(() => uuidv7());
  const { props, error, isBusy } = useForm({
    names: ['reason'],
    required: { reason: TOO_SHORT },
    async send({ reason }) {
      mustBeReason(reason);
      try {
        await call(dismissUnknownStay, {
          params: { facility: facilityId, stay: stay.id },
          body: { client_id: clientId, version: stay.version, reason },
        });
      } catch (error) {
        if (statusOf(error) === 409) void refresh();
        throw error;
      }
      sayDone('Left out');
      onClose();
      await refresh();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title="Leave this patient out?"
      description={`${unknownStaySentence(stay, { newest, zone })} It does not count.`}
      footer={<Buttons formId={formId} isBusy={isBusy} label="Leave out" onClose={onClose} />}
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        <Textarea
          label="Why is it left out?"
          name="reason"
          rows={3}
          maxLength={500}
          help="At least 5 characters. No patient names."
          error={error.fields.reason}
        />
      </form>
    </Dialog>
  );
}

interface ButtonsProps {
  readonly formId: string;
  readonly isBusy: boolean;
  readonly label: string;
  readonly onClose: () => void;
}

function Buttons({ formId, isBusy, label, onClose }: ButtonsProps) {
  return (
    <>
      <Button variant="ghost" color="neutral" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} isLoading={isBusy}>
        {label}
      </Button>
    </>
  );
}

/** What a field of date and time holds, by the facility's clock. */
function readLocal(text: string, zone: string): string | null {
  const [, date = '', time = ''] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(text) ?? [];
  return date === '' ? null : firstInstant(date, time, zone).toISOString();
}
