import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { type Member, setMemberPhone } from '@wardline/contract/facilities/members.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { useRefreshOnCall } from './use-on-call.ts';

interface PhoneDialogProps {
  readonly facility: Facility;
  readonly person: Member;
  readonly onClose: () => void;
}

/** The number under which somebody is reached in this facility; an empty one takes it away. */
export function PhoneDialog({ facility, person, onClose }: PhoneDialogProps) {
  const call = useCall();
  const refresh = useRefreshOnCall(facility.id);
  const formId = useId();
  const { props, error, isBusy } = useForm({
    names: ['phone'],
    async send({ phone }) {
      const params = { facility: facility.id, user: person.user_id };
      await call(setMemberPhone, { params, body: { phone: phone.trim() === '' ? null : phone } });
      await refresh();
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={`Phone: ${person.name}`}
      description={`Shown to colleagues at ${facility.name} who may see phone numbers.`}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            Save
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        <TextInput
          label="Phone"
          name="phone"
          type="tel"
          maxLength={40}
          autoComplete="off"
          defaultValue={person.phone ?? undefined}
          error={error.fields.phone}
        />
      </form>
    </Dialog>
  );
}
