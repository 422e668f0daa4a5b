import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import type { Role } from '@wardline/contract/facilities/invitations.ts';
import { canGrant } from '@wardline/contract/permissions.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { useRoles } from './facility-queries.ts';
import { formatPermissions } from './permission-labels.ts';

const RoleDialog = lazyPart(async () => (await import('./role-dialog.tsx')).RoleDialog, { onMissing: closeMissing });

const RemoveRoleDialog = lazyPart(async () => (await import('./remove-role-dialog.tsx')).RemoveRoleDialog, {
  onMissing: closeMissing,
});

interface RolesCardProps {
  readonly facility: Facility;
  /** The names of those that one has oneself. */
  readonly myRoles: readonly string[];
  readonly onOwnChange: () => Promise<void>;
}

/** PERM-2: the roles of a facility with what each allows. */
export function RolesCard({ facility, myRoles, onOwnChange }: RolesCardProps) {
  const roles = useRoles(facility.id);
  const [open, setOpen] = useState<Role | 'new' | null>(null);
  const [removing, setRemoving] = useState<Role | null>(null);
  if (roles.data === undefined) {
    if (!roles.isError) return <Skeleton count={3} label="Loading the roles" />;
    return (
      <ErrorState
        level={3}
        title="The roles did not load"
        message={formatAction(roles.error)}
        onRetry={() => void roles.refetch()}
      />
    );
  }
  return (
    <Card isList>
      <div className="fs-search">
        <Button icon={Plus} onClick={() => setOpen('new')}>
          New role
        </Button>
      </div>
      <ul className="list" aria-label="Roles">
        {roles.data.data.map((role) => (
          <li key={role.id}>
            <ListRow
              title={role.name}
              text={formatPermissions(role.permissions)}
              isTextWhole
              trailing={
                <Button
                  variant="outline"
                  color="neutral"
                  size="sm"
                  label={`Edit ${role.name}`}
                  disabled={!canGrant(facility.permissions, role.permissions)}
                  onClick={() => setOpen(role)}
                >
                  Edit
                </Button>
              }
            />
          </li>
        ))}
      </ul>
      {open !== null && (
        <RoleDialog
          facility={facility}
          existing={open === 'new' ? null : open}
          keptByOthers={open === 'new' ? null : keptByOthers(open, { myRoles, roles: roles.data.data })}
          onOwnChange={onOwnChange}
          onRemove={(role) => {
            setOpen(null);
            setRemoving(role);
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {removing !== null && (
        <RemoveRoleDialog
          facility={facility}
          role={removing}
          roles={roles.data.data}
          onOwnChange={onOwnChange}
          onClose={() => setRemoving(null)}
        />
      )}
    </Card>
  );
}

/** What one's other roles give, for who has this one; null for who has not. */
function keptByOthers(
  { id, name }: Role,
  { myRoles, roles }: { readonly myRoles: readonly string[]; readonly roles: readonly Role[] },
): readonly string[] | null {
  if (!myRoles.includes(name)) return null;
  return roles.filter((role) => role.id !== id && myRoles.includes(role.name)).flatMap((role) => role.permissions);
}
