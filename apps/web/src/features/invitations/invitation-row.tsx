import { serverNow } from '@wardline/client/server-clock.ts';
import { type Invitation, revokeInvitation } from '@wardline/contract/facilities/invitations.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { SettingsRow } from '@wardline/ui/settings/settings.tsx';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { useQueryClient } from '#/shared/queries/use-query.ts';
import { formatState, invitationDetails, invitationTitle } from './invitation-labels.ts';
import { invitationsKey } from './invitation-queries.ts';

interface InvitationRowProps {
  readonly facilityId: string;
  readonly invitation: Invitation;
}

/** One invitation: whom it is for, how it stands, and while it is open the way to take it back. */
export function InvitationRow({ facilityId, invitation }: InvitationRowProps) {
  const call = useCall();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const title = invitationTitle(invitation);
  const { word, tone } = formatState[invitation.state];
  const revoke = () =>
    confirm({
      title: `Revoke the invitation for ${title}?`,
      description: 'Its link stops working at once.',
      confirmLabel: 'Revoke',
      async onConfirm() {
        await call(revokeInvitation, { params: { facility: facilityId, invitation: invitation.id } });
        await queries.invalidateQueries({ queryKey: invitationsKey(facilityId) });
        sayDone('Invitation revoked');
      },
    });
  return (
    <li>
      <SettingsRow
        title={title}
        mark={<Badge tone={tone}>{word}</Badge>}
        text={invitationDetails(invitation, serverNow())}
      >
        {invitation.state === 'open' || invitation.state === 'waiting' ? (
          <Button variant="outline" color="neutral" label={`Revoke ${title}`} onClick={() => void revoke()}>
            Revoke
          </Button>
        ) : undefined}
      </SettingsRow>
    </li>
  );
}
