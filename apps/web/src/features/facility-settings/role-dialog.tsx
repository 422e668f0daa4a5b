import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { createRole, updateRole } from '@wardline/contract/facilities/facility-settings.ts';
import type { Role } from '@wardline/contract/facilities/invitations.ts';
import { canGrant, PERMISSIONS, type Permission } from '@wardline/contract/permissions.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId } from 'react';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { useRefreshFacility } from './facility-queries.ts';
import { ownAdministrationQuestion } from './own-administration.ts';
import { PERMISSION_LABELS } from './permission-labels.ts';

interface RoleDialogProps {
  readonly facility: Facility;
  /** Null for a new one. */
  readonly existing: Role | null;
  /** What one's other roles give, where one has this one oneself; otherwise null. */
  readonly keptByOthers: readonly string[] | null;
  /** One may have the role oneself. */
  readonly onOwnChange: () => Promise<void>;
  readonly onRemove: (role: Role) => void;
  readonly onClose: () => void;
}

/** What a role is called, and what it lets whoever has it do. */
export function RoleDialog({ facility, existing, keptByOthers, onOwnChange, onRemove, onClose }: RoleDialogProps) {
  const call = useConfirmedCall();
  const confirm = useConfirm();
  const formId = useId();
  const refresh = useRefreshFacility(facility.id);
  const had: readonly string[] = existing?.permissions ?? [];
  const { props, error, isBusy } = useForm({
    names: ['name'],
    required: { name: 'Enter the name of the role.' },
    async send({ name }, data) {
      const chosen = PERMISSIONS.filter((permission) => data.getAll('permission').includes(permission));
      if (existing === null) {
        await call(createRole, { params: { facility: facility.id }, body: { name, permissions: chosen } });
      } else {
        const add = chosen.filter((permission) => !had.includes(permission));
        const take = PERMISSIONS.filter((permission) => had.includes(permission) && !chosen.includes(permission));
        const question =
          keptByOthers && ownAdministrationQuestion({ taken: take, kept: keptByOthers, facilityName: facility.name });
        if (question && !(await confirm(question))) return;
        await call(updateRole, { params: { facility: facility.id, role: existing.id }, body: { name, add, take } });
      }
      await Promise.all([refresh(), onOwnChange()]);
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={existing?.name ?? 'New role'}
      description={
        existing === null
          ? `For people of ${facility.name}.`
          : `What you change holds at once, for everybody who has this role at ${facility.name}.`
      }
      footer={
        <>
          {existing !== null && (
            <Button variant="ghost" color="error" onClick={() => onRemove(existing)}>
              Remove role
            </Button>
          )}
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            {existing === null ? 'Make role' : 'Save role'}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        <TextInput
          label="Name"
          name="name"
          autoComplete="off"
          maxLength={80}
          defaultValue={existing?.name}
          error={error.fields.name}
        />
        <fieldset className="stack stack-1">
          <legend className="label">Whoever has it may</legend>
          {PERMISSIONS.map((permission) => (
            <PermissionBox
              key={permission}
              permission={permission}
              isOn={had.includes(permission)}
              isGrantable={canGrant(facility.permissions, [permission])}
            />
          ))}
        </fieldset>
      </form>
    </Dialog>
  );
}

interface PermissionBoxProps {
  readonly permission: Permission;
  readonly isOn: boolean;
  readonly isGrantable: boolean;
}

function PermissionBox({ permission, isOn, isGrantable }: PermissionBoxProps) {
  return (
    <Checkbox
      name="permission"
      value={permission}
      label={PERMISSION_LABELS[permission]}
      defaultChecked={isOn}
      disabled={!isGrantable}
      {...(isGrantable ? {} : { help: 'You can’t give this permission.' })}
    />
  );
}
