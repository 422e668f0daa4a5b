import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { deleteRole, getRoleUse, type RoleUse } from '@wardline/contract/facilities/facility-settings.ts';
import type { Role } from '@wardline/contract/facilities/invitations.ts';
import { canGrant } from '@wardline/contract/permissions.ts';
import { counted } from '@wardline/format/counts.ts';
import { formatList } from '@wardline/format/names.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { useQuery } from '#/shared/queries/use-query.ts';
import { useRefreshFacility } from './facility-queries.ts';

interface RemoveRoleDialogProps {
  readonly facility: Facility;
  readonly role: Role;
  /** All of the facility. */
  readonly roles: readonly Role[];
  /** One may have the role oneself. */
  readonly onOwnChange: () => Promise<void>;
  readonly onClose: () => void;
}

const NONE = 'none';

/** PERM-2: who a role would be missed by, and which they get in its place. */
export function RemoveRoleDialog({ facility, role, roles, onOwnChange, onClose }: RemoveRoleDialogProps) {
  const plainCall = useCall();
  const call = useConfirmedCall();
  const refresh = useRefreshFacility(facility.id);
  const [chosen, setChosen] = useState('');
  const params = { facility: facility.id, role: role.id };
  const use = useQuery({
    queryKey: ['role-use', facility.id, role.id],
    queryFn: ({ signal }) => plainCall(getRoleUse, { params, signal }),
    gcTime: 0,
  });
  const remove = useAction(async () => {
    const replacement = chosen === '' || chosen === NONE ? null : chosen;
    await call(deleteRole, { params, body: { replacement } });
    await Promise.all([refresh(), onOwnChange()]);
    onClose();
  });
  const isHeld = (use.data?.holder_count ?? 0) > 0;
  const isDecided = use.data !== undefined && (!isHeld || chosen !== '');
  const others = roles.filter(({ id, permissions }) => id !== role.id && canGrant(facility.permissions, permissions));
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={`Remove the role ${role.name}?`}
      description="It holds at once, on every open page. What people did in this role stays."
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button color="error" isLoading={remove.isBusy} disabled={!isDecided} onClick={remove.run}>
            Remove role
          </Button>
        </>
      }
    >
      <div className="stack stack-4">
        {remove.error !== null && <Banner tone="error">{remove.error}</Banner>}
        {use.isPending && <Skeleton shape="text" count={2} label="Loading who has the role" />}
        {use.isError && (
          <ErrorState
            level={3}
            title="Who has the role did not load"
            message={formatAction(use.error)}
            onRetry={() => void use.refetch()}
          />
        )}
        {use.data && (
          <ul className="t13">
            {formatUse(use.data).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
        {isHeld && (
          <Select
            label="They get instead"
            placeholder="Choose"
            value={chosen}
            onValueChange={setChosen}
            options={[
              ...others.map(({ id, name }) => ({ value: id, label: name })),
              { value: NONE, label: 'No other role' },
            ]}
          />
        )}
      </div>
    </Dialog>
  );
}

function formatUse({ holders, holder_count, invitations, invitation_count, groups }: RoleUse): string[] {
  const left = holder_count - holders.length;
  const names = [...holders.map(({ name }) => name), ...(left > 0 ? [counted(left, 'other')] : [])];
  const notes = invitations.flatMap(({ note, title }) => note ?? title ?? []);
  const named = notes.length > 0 ? ` (${formatList(notes)})` : '';
  return [
    holder_count === 0
      ? 'No one has it.'
      : `${counted(holder_count, 'person has', 'people have')} it: ${formatList(names)}.`,
    ...(invitation_count > 0
      ? [
          `${counted(invitation_count, 'open invitation loses', 'open invitations lose')} it${named}. One that gives nothing else is revoked.`,
        ]
      : []),
    ...groups.map(
      ({ provider, group }) =>
        `The group ${group} of ${provider} gives nothing by it any more. A new role of the same name would be given again.`,
    ),
  ];
}
