import './invitations.css';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { CloudOff, FileUp, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { LastImport } from './import-row.tsx';
import { useInvitations } from './invitation-queries.ts';
import { InvitationRow } from './invitation-row.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { PeopleDialog } from './people-dialog.tsx';

interface InvitationsPanelProps {
  /** Those whose members one may manage; at least one. */
  readonly facilities: readonly [Facility, ...Facility[]];
}

/** ACC-1: links with which people join a facility; made here, and made useless. */
export function InvitationsPanel({ facilities }: InvitationsPanelProps) {
  const [chosenId, setChosenId] = useState(facilities[0].id);
  const [isInviting, setIsInviting] = useState(false);
  const [isImporting, setIsImporting] = useState(false);
  const facility = facilities.find(({ id }) => id === chosenId) ?? facilities[0];
  return (
    <Card isList>
      <div className="lrow">
        <div className="lrow-body">
          {facilities.length > 1 ? (
            <Select
              label="Facility"
              isLabelHidden
              value={facility.id}
              onValueChange={setChosenId}
              options={facilities.map(({ id, name }) => ({ value: id, label: name }))}
            />
          ) : (
            <p className="medium strong breaks">{facility.name}</p>
          )}
        </div>
        <div className="lrow-end wrap">
          <Button icon={UserPlus} onClick={() => setIsInviting(true)}>
            Invite a colleague
          </Button>
          <Button variant="outline" color="neutral" icon={FileUp} onClick={() => setIsImporting(true)}>
            Invite from a file
          </Button>
        </div>
      </div>
      <LastImport key={facility.id} facilityId={facility.id} />
      <InvitationList key={facility.id} facilityId={facility.id} />
      {isInviting && <InviteDialog facility={facility} onClose={() => setIsInviting(false)} />}
      {isImporting && <PeopleDialog facility={facility} onClose={() => setIsImporting(false)} />}
    </Card>
  );
}

function InvitationList({ facilityId }: { facilityId: string }) {
  const query = useInvitations(facilityId);
  if (query.isPending) {
    return query.fetchStatus === 'paused' ? (
      <EmptyState icon={CloudOff} level={3} title="Available when you’re online" />
    ) : (
      <Skeleton count={2} label="Loading the invitations" />
    );
  }
  if (query.data === undefined) {
    return (
      <ErrorState
        level={3}
        title="The invitations could not be loaded"
        message={formatAction(query.error)}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const invitations = query.data.pages.flatMap((page) => page.data);
  if (invitations.length === 0) {
    return (
      <EmptyState level={3} title="No invitations yet">
        Share a link; your colleague chooses a password, opens the email that they get, and joins.
      </EmptyState>
    );
  }
  return (
    <>
      <ul className="list">
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} facilityId={facilityId} invitation={invitation} />
        ))}
      </ul>
      <ShowMore list={query} />
    </>
  );
}
