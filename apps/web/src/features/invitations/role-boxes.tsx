import './invitations.css';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { canGrant } from '@wardline/contract/permissions.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useState } from 'react';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { useRoles } from './invitation-queries.ts';

interface RoleBoxesProps {
  readonly facility: Facility;
  readonly error: string | undefined;
}

/** The roles of a facility to tick, named `role_ids`. One that gives more than one may grant cannot be ticked. */
export function RoleBoxes({ facility, error }: RoleBoxesProps) {
  const [hasOne, setHasOne] = useState(false);
  const { data, error: failure, isError, isPending, refetch } = useRoles(facility.id);
  return (
    <fieldset
      className="field set-roles"
      onChange={(event) => setHasOne(event.currentTarget.querySelector(':checked') !== null)}
    >
      <legend className="label">Roles</legend>
      {isPending && <Skeleton shape="text" label="Loading the roles" />}
      {isError && (
        <Banner
          tone="error"
          action={
            <Button variant="link" onClick={() => void refetch()}>
              Retry
            </Button>
          }
        >
          The roles could not be loaded. {formatAction(failure)}
        </Banner>
      )}
      {data?.data.map(({ id, name, permissions }) => {
        const isGrantable = canGrant(facility.permissions, permissions);
        return (
          <Checkbox
            key={id}
            name="role_ids"
            value={id}
            label={name}
            disabled={!isGrantable}
            {...(isGrantable ? {} : { help: 'You can’t grant this role.' })}
          />
        );
      })}
      {data && !hasOne && (
        <p className="help">Without a role they can only read and write in chats that others add them to.</p>
      )}
      {error !== undefined && (
        <p className="help is-bad" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
