import { type Facility, listUnits } from '@wardline/contract/facilities/facilities.ts';
import {
  createOnCallRole,
  type OnCallRole,
  retireOnCallRole,
  updateOnCallRole,
} from '@wardline/contract/facilities/on-call.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { useQuery } from '#/shared/queries/use-query.ts';
import { useRefreshOnCall } from './use-on-call.ts';

interface RoleDialogProps {
  readonly facility: Facility;
  /** Null makes a new one. */
  readonly existing: OnCallRole | null;
  readonly onClose: () => void;
}

const NO_UNIT = 'none';

/** What a role is called, of which unit it is, and its own number; and its end. */
export function RoleDialog({ facility, existing: role, onClose }: RoleDialogProps) {
  const call = useCall();
  const confirm = useConfirm();
  const refresh = useRefreshOnCall(facility.id);
  const formId = useId();
  const [unit, setUnit] = useState(role?.unit?.id ?? NO_UNIT);
  const units = useQuery({
    queryKey: ['units', facility.id, 'on-call'],
    queryFn: ({ signal }) => call(listUnits, { params: { facility: facility.id }, signal }),
  });
  const { props, error, isBusy } = useForm({
    names: ['name', 'phone'],
    required: { name: 'Enter a name.' },
    async send({ name, phone }) {
      const body = { name, unit_id: unit === NO_UNIT ? null : unit, phone: phone.trim() === '' ? null : phone };
      if (role === null) await call(createOnCallRole, { params: { facility: facility.id }, body });
      else
        await call(updateOnCallRole, {
          params: { facility: facility.id, role: role.id },
          body: { ...body, expected_version: role.version },
        });
      await refresh();
      onClose();
    },
  });
  const retire = (gone: OnCallRole) =>
    void confirm({
      title: `Retire ${gone.name}?`,
      description: 'Its shift of now ends, and its planned shifts are removed.',
      confirmLabel: 'Retire',
      onConfirm: async () => {
        await call(retireOnCallRole, { params: { facility: facility.id, role: gone.id } });
        await refresh();
        onClose();
      },
    });
  const options = [
    { value: NO_UNIT, label: 'Whole facility' },
    ...(units.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={role === null ? 'New on-call role' : role.name}
      footer={
        <>
          {role && (
            <Button variant="ghost" color="error" onClick={() => retire(role)}>
              Retire role
            </Button>
          )}
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            {role === null ? 'Create role' : 'Save'}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        <TextInput
          label="Name"
          name="name"
          maxLength={80}
          autoComplete="off"
          defaultValue={role?.name}
          help="For example “Medical registrar on call”."
          error={error.fields.name}
        />
        <Select label="Unit" options={options} value={unit} onValueChange={setUnit} disabled={units.isPending} />
        <TextInput
          label="Phone"
          name="phone"
          type="tel"
          maxLength={40}
          autoComplete="off"
          defaultValue={role?.phone ?? undefined}
          help="Optional. The role’s own number, whoever holds it."
          error={error.fields.phone}
        />
      </form>
    </Dialog>
  );
}
