import { FacilityCode } from '@wardline/contract/facilities/facility-settings.ts';
import {
  createFacility,
  deactivateFacility,
  inviteAdministrator,
  renameFacility,
  type SystemFacility,
} from '@wardline/contract/facilities/system-facilities.ts';
import { Email } from '@wardline/contract/values.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { type ReactNode, useId, useState } from 'react';
import { useIsMailSent } from '#/shared/contexts/page-config.ts';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { checkBy } from '#/shared/forms/fields/check-by.ts';
import { checkZone } from '#/shared/forms/fields/find-zone.ts';
import { PlaceFields } from '#/shared/forms/fields/place-fields.tsx';
import { checkPlace, readPlace } from '#/shared/forms/fields/read-place.ts';
import { ZoneField } from '#/shared/forms/fields/zone-field.tsx';
import { loadAnewOnConflict } from '#/shared/forms/load-anew-on-conflict.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { deviceZone } from '#/shared/time/zoned-time.ts';
import { useRefreshSystem } from './use-system.ts';

interface FacilityDialogProps {
  /** Told what was done. */
  readonly onDone: (text: string) => void;
  readonly onClose: () => void;
}

interface FormDialogProps {
  readonly title: string;
  readonly description?: string;
  readonly submitLabel: string;
  readonly submitColor?: 'error';
  readonly form: Pick<ReturnType<typeof useForm>, 'props' | 'isBusy'>;
  readonly failure: string | null;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The frame of all: nothing typed is lost by a press beside it. */
function FormDialog({
  title,
  description,
  submitLabel,
  submitColor,
  form,
  failure,
  onClose,
  children,
}: FormDialogProps) {
  const formId = useId();
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={title}
      {...(description === undefined ? {} : { description })}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={form.isBusy} {...(submitColor && { color: submitColor })}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...form.props}>
        {failure !== null && <Banner tone="error">{failure}</Banner>}
        {children}
      </form>
    </Dialog>
  );
}

const NAME = { label: 'Facility name', autoComplete: 'off', maxLength: 120 } as const;
const CODE = {
  label: 'Short name',
  autoComplete: 'off',
  autoCapitalize: 'characters',
  maxLength: 4,
  help: '2 to 4 letters or digits, for narrow places and files.',
} as const;
const NO_MAIL = 'no mail server is set, so its invitation reaches no one';
const EMAIL = { label: 'Administrator’s email', type: 'email', autoComplete: 'off', maxLength: 254 } as const;

export function AddFacilityDialog({ onDone, onClose }: FacilityDialogProps) {
  const call = useConfirmedCall();
  const refresh = useRefreshSystem();
  const isMailSent = useIsMailSent();
  const [zone, setZone] = useState(deviceZone);
  const form = useForm({
    names: ['name', 'code', 'administrator_email', 'time_zone', 'census_time', 'latitude', 'longitude'],
    required: {
      name: 'Enter the name of the facility.',
      code: 'Enter a short name.',
      administrator_email: 'Enter an email address.',
      time_zone: 'Choose a time zone.',
      census_time: 'Enter the census hour.',
    },
    check: ({ code, administrator_email, time_zone, latitude, longitude }) => ({
      code: checkBy(FacilityCode, code),
      administrator_email: checkBy(Email, administrator_email),
      time_zone: checkZone(time_zone),
      ...checkPlace({ latitude, longitude }),
    }),
    async send({ latitude, longitude, ...values }) {
      const { name } = await call(createFacility, { body: { ...values, ...readPlace({ latitude, longitude }) } });
      await refresh();
      onDone(`${name} was added; ${isMailSent ? 'the invitation is on its way' : NO_MAIL}.`);
    },
  });
  const { fields, general } = form.error;
  return (
    <FormDialog
      title="Add a facility"
      description="Its first administrator gets an invitation by email, and invites the others."
      submitLabel="Add and invite"
      {...{ form, failure: general, onClose }}
    >
      <div className="sys-fields">
        <TextInput {...NAME} name="name" error={fields.name} />
        <TextInput {...CODE} name="code" error={fields.code} />
        <TextInput {...EMAIL} name="administrator_email" error={fields.administrator_email} />
        <ZoneField value={zone} error={fields.time_zone} onChange={setZone} />
        <TextInput
          label="Census hour"
          name="census_time"
          type="time"
          defaultValue="00:00"
          help="Midnight is the end of the census date."
          error={fields.census_time}
        />
        <PlaceFields errors={fields} />
      </div>
    </FormDialog>
  );
}

interface OfFacility extends FacilityDialogProps {
  readonly facility: SystemFacility;
}

export function RenameDialog({ facility, onDone, onClose }: OfFacility) {
  const call = useConfirmedCall();
  const refresh = useRefreshSystem();
  const form = useForm({
    names: ['name', 'code'],
    required: { name: 'Enter the name of the facility.', code: 'Enter a short name.' },
    async send(values) {
      const body = { ...values, expected_version: facility.version };
      await loadAnewOnConflict(call(renameFacility, { params: { facility: facility.id }, body }), refresh);
      await refresh();
      onDone('Renamed.');
    },
  });
  const { fields, general } = form.error;
  return (
    <FormDialog title={`Rename ${facility.name}`} submitLabel="Rename" {...{ form, failure: general, onClose }}>
      <TextInput {...NAME} name="name" defaultValue={facility.name} error={fields.name} />
      <TextInput {...CODE} name="code" defaultValue={facility.code} error={fields.code} />
    </FormDialog>
  );
}

export function InviteAdministratorDialog({ facility, onDone, onClose }: OfFacility) {
  const call = useConfirmedCall();
  const refresh = useRefreshSystem();
  const isMailSent = useIsMailSent();
  const form = useForm({
    names: ['email'],
    required: { email: 'Enter an email address.' },
    async send(body) {
      await call(inviteAdministrator, { params: { facility: facility.id }, body });
      await refresh();
      onDone(
        isMailSent
          ? 'The invitation is on its way.'
          : 'The invitation was made, but no mail server is set: it reaches no one.',
      );
    },
  });
  const { fields, general } = form.error;
  return (
    <FormDialog
      title={`Invite an administrator of ${facility.name}`}
      description="They get a link by email. An earlier invitation no longer works."
      submitLabel="Send invitation"
      {...{ form, failure: general, onClose }}
    >
      <TextInput {...EMAIL} name="email" error={fields.email} />
    </FormDialog>
  );
}

export function CloseFacilityDialog({ facility, onDone, onClose }: OfFacility) {
  const call = useConfirmedCall();
  const refresh = useRefreshSystem();
  const form = useForm({
    names: ['name'],
    required: { name: 'Enter the name of the facility.' },
    async send(body) {
      await call(deactivateFacility, { params: { facility: facility.id }, body });
      await refresh();
      onDone(`${facility.name} is closed.`);
    },
  });
  const { fields, general } = form.error;
  return (
    <FormDialog
      title={`Close ${facility.name}?`}
      description="At once nobody can read or write anything in it, and its urgent calls and reminders stop. Its data stay, and it can be opened again."
      submitLabel="Close facility"
      submitColor="error"
      {...{ form, failure: general, onClose }}
    >
      <TextInput
        label="Facility name"
        name="name"
        autoComplete="off"
        maxLength={120}
        help={`Type ${facility.name} to confirm.`}
        error={fields.name}
      />
    </FormDialog>
  );
}
