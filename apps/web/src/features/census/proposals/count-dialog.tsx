import { firstInstant } from '@wardline/census/calendar.ts';
import { acceptUnknownStay, type UnknownStay } from '@wardline/contract/census/feed.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { unknownStaySentence } from './unknown-stay-labels.ts';
import { useAnswer } from './use-answer.ts';

interface CountDialogProps {
  readonly facilityId: string;
  readonly stay: UnknownStay;
  readonly newest: string;
  readonly zone: string;
  readonly units: readonly { readonly id: string; readonly code: string }[];
  readonly onClose: () => void;
}

/** Says that they were in: since when, and where, if the message does not say it. */
export function CountDialog({ facilityId, stay, newest, zone, units, onClose }: CountDialogProps) {
  const call = useCall();
  const answer = useAnswer(facilityId, onClose);
  const formId = useId();
  const [clientId] = useState(() => uuidv7());
  const [unitId, setUnitId] = useState('');
  const asksUnit = stay.unit_id === null;
  const { props, error, isBusy } = useForm({
    names: ['unit_id', 'admitted_at'],
    required: asksUnit ? { unit_id: 'Choose the unit where the patient was.' } : {},
    async send({ admitted_at }) {
      const at = readLocal(admitted_at, zone);
      await answer('Counted', () =>
        call(acceptUnknownStay, {
          params: { facility: facilityId, stay: stay.id },
          body: {
            ...{ client_id: clientId, version: stay.version },
            ...(asksUnit && { unit_id: unitId }),
            ...(at && { admitted_at: at }),
          },
        }),
      );
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title="Was this patient in?"
      description={`${unknownStaySentence(stay, { newest, zone })} The patient system finds the patient by the message. It counts then; signed reports stay as they are.`}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            Yes, count it
          </Button>
        </>
      }
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

/** What a field of date and time holds, by the facility's clock. */
function readLocal(text: string, zone: string): string | null {
  const [, date = '', time = ''] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(text) ?? [];
  return date === '' ? null : firstInstant(date, time, zone).toISOString();
}
