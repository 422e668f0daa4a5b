import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { giveRole, takeRole } from '@wardline/contract/facilities/facility-settings.ts';
import type { Role } from '@wardline/contract/facilities/invitations.ts';
import { type Member, removeMember } from '@wardline/contract/facilities/members.ts';
import { canGrant } from '@wardline/contract/permissions.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useState } from 'react';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { useRefreshFacility, useRoles } from './facility-queries.ts';
import { MemberTitle } from './member-title.tsx';
import { ownAdministrationQuestion } from './own-administration.ts';
import { formatPermissions } from './permission-labels.ts';

interface MemberDialogProps {
  readonly facility: Facility;
  readonly member: Member;
  readonly isMe: boolean;
  /** One's own rights may be others now. */
  readonly onOwnChange: () => Promise<void>;
  readonly onClose: () => void;
}

/** The title and the roles of one person, each given or taken at once, and the end of their membership. */
export function MemberDialog({ facility, member, isMe, onOwnChange, onClose }: MemberDialogProps) {
  const call = useConfirmedCall();
  const confirm = useConfirm();
  const roles = useRoles(facility.id);
  const refresh = useRefreshFacility(facility.id);
  const [held, setHeld] = useState(member.roles);
  const [busyId, setBusyId] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const { user_id: user, name } = member;

  const afterChange = () => Promise.all([refresh(), isMe && onOwnChange()]);
  const questionBefore = (role: Role) => {
    const others = roles.data?.data.filter(({ id, name }) => id !== role.id && held.includes(name)) ?? [];
    const kept = others.flatMap(({ permissions }) => permissions);
    return ownAdministrationQuestion({ taken: role.permissions, kept, facilityName: facility.name });
  };
  const toggle = async (role: Role) => {
    if (busyId !== null) return;
    const isHeld = held.includes(role.name);
    const question = isMe && isHeld ? questionBefore(role) : null;
    if (question && !(await confirm(question))) return;
    setBusyId(role.id);
    setFailure(null);
    try {
      const params = { facility: facility.id, user, role: role.id };
      const changed = await call(isHeld ? takeRole : giveRole, { params });
      setHeld(changed.roles);
      await afterChange();
    } catch (error) {
      setFailure(formatAction(error));
    } finally {
      setBusyId(null);
    }
  };
  const remove = async () => {
    const isDone = await confirm({
      title: `Remove ${name} from ${facility.name}?`,
      description: 'They leave all chats of the facility at once. Their account stays, and they can be invited again.',
      confirmLabel: 'Remove',
      async onConfirm() {
        await call(removeMember, { params: { facility: facility.id, user } });
        await afterChange();
      },
    });
    if (isDone) onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={name}
      description={`Member of ${facility.name}. What you change holds at once.`}
      footer={
        <>
          <Button variant="ghost" color="error" onClick={() => void remove()}>
            Remove from the facility
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <MemberTitle facility={facility} member={member} afterChange={afterChange} />
      <fieldset className="stack stack-3">
        <legend className="label">Roles</legend>
        {failure !== null && <Banner tone="error">{failure}</Banner>}
        {roles.isPending && <Skeleton shape="text" label="Loading the roles" />}
        {roles.isError && (
          <ErrorState
            level={3}
            title="The roles did not load"
            message={formatAction(roles.error)}
            onRetry={() => void roles.refetch()}
          />
        )}
        {roles.data?.data.map((role) => {
          const isGrantable = canGrant(facility.permissions, role.permissions);
          const text = formatPermissions(role.permissions);
          return (
            <Checkbox
              key={role.id}
              name="role"
              label={role.name}
              checked={held.includes(role.name)}
              disabled={!isGrantable || (busyId !== null && busyId !== role.id)}
              help={isGrantable ? text : `${text} You can’t give or take this role.`}
              onChange={() => void toggle(role)}
            />
          );
        })}
      </fieldset>
    </Dialog>
  );
}
