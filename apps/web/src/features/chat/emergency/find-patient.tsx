import { findPatientChats, type PatientChat } from '@wardline/contract/chat/emergency-access.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { useForm } from '#/shared/forms/use-form.ts';

/** Whom it is about, as it was entered. */
export interface PatientQuestion {
  readonly facilityId: string;
  readonly identifier: string;
  readonly bornOn: string;
}

interface FindPatientProps {
  readonly facilities: readonly Facility[];
  readonly asked: PatientQuestion;
  readonly onFound: (asked: PatientQuestion, chats: readonly PatientChat[]) => void;
  readonly onClose: () => void;
}

/** Who the patient is: what stands on the wristband, so that nobody finds patients by trying numbers. */
export function FindPatient({ facilities, asked, onFound, onClose }: FindPatientProps) {
  const call = useCall();
  const formId = useId();
  const isOnline = useOnline();
  const [facilityId, setFacilityId] = useState(asked.facilityId);
  const [isNothing, setIsNothing] = useState(false);
  const { props, error, isBusy } = useForm({
    names: ['identifier', 'born_on'],
    required: { identifier: 'Enter the patient’s MRN or other ID.' },
    async send({ identifier, born_on }) {
      setIsNothing(false);
      const body = { identifier: identifier.trim(), ...(born_on !== '' && { born_on }) };
      const { data } = await call(findPatientChats, { params: { facility: facilityId }, body });
      if (data.length === 0) setIsNothing(true);
      else onFound({ facilityId, identifier: body.identifier, bornOn: born_on }, data);
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title="Emergency access"
      description="For a patient you must treat now and whose chat nobody has added you to. Everybody in the chat sees that you opened it and why, and it is reviewed."
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} disabled={!isOnline} isLoading={isBusy}>
            Find the patient
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        {!isOnline && <Banner tone="warning">You’re offline. This can be done once you’re back online.</Banner>}
        {isNothing && (
          <Banner tone="info" title="No chat about this patient.">
            Compare number and date of birth with the wristband. If there is no chat yet, start one.
          </Banner>
        )}
        {facilities.length > 1 && (
          <Select
            label="Facility"
            options={facilities.map(({ id, name }) => ({ value: id, label: name }))}
            value={facilityId}
            onValueChange={setFacilityId}
          />
        )}
        <TextInput
          label="MRN or other ID"
          name="identifier"
          autoComplete="off"
          maxLength={60}
          defaultValue={asked.identifier}
          error={error.fields.identifier}
        />
        <TextInput
          label="Born"
          name="born_on"
          type="date"
          autoComplete="off"
          help="Leave it empty only if the chat was started without it."
          defaultValue={asked.bornOn}
          error={error.fields.born_on}
        />
      </form>
    </Dialog>
  );
}
