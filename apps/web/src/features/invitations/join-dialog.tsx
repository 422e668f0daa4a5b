import { acceptInvitation, showInvitation } from '@wardline/contract/facilities/invitations.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatAction, isLinkGone } from '#/shared/forms/form-errors.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { useQuery } from '#/shared/queries/use-query.ts';

interface JoinDialogProps {
  /** The secret of the link. */
  readonly token: string;
  readonly email: string;
  /** The person belongs to the facility now. */
  readonly onJoined: (facilityName: string) => Promise<void>;
  readonly onClose: () => void;
}

/** ACC-1: an invitation taken by somebody who has an account already. */
export function JoinDialog({ token, email, onJoined, onClose }: JoinDialogProps) {
  const call = useCall();
  const { data, error, isPending, fetchStatus, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => call(showInvitation, { params: { token }, signal }),
    gcTime: 0,
  });
  const join = useAction(async () => {
    await call(acceptInvitation, { params: { token } });
    await onJoined(data?.facility_name ?? '');
  });
  const isMember = data?.is_member === true;
  const mayJoin = data !== undefined && !isMember;
  const isGone = isLinkGone(error);
  const isOffline = isPending && fetchStatus === 'paused';
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={isMember ? 'You already belong here' : data ? `Join ${data.facility_name}?` : 'An invitation'}
      {...(mayJoin && { description: `You become a member as ${email}. Your other facilities stay as they are.` })}
      footer={
        mayJoin ? (
          <>
            <Button variant="ghost" color="neutral" onClick={onClose}>
              Not now
            </Button>
            <Button isLoading={join.isBusy} onClick={join.run}>
              Join
            </Button>
          </>
        ) : (
          <>
            {error !== null && !isGone && (
              <Button variant="outline" color="neutral" onClick={() => void refetch()}>
                Retry
              </Button>
            )}
            <Button onClick={onClose}>Close</Button>
          </>
        )
      }
    >
      {isPending && !isOffline && <Skeleton shape="text" label="Loading the invitation" />}
      {isOffline && <Banner tone="neutral">The invitation shows when you’re online.</Banner>}
      {isMember && (
        <p>You already belong to {data?.facility_name}. Share this link with the person it is for: it was not used.</p>
      )}
      {isGone && (
        <Banner tone="warning" title="This invitation is no longer valid.">
          Ask the person who sent it for a new one.
        </Banner>
      )}
      {error !== null && !isGone && <Banner tone="error">{formatAction(error)}</Banner>}
      {join.error !== null && <Banner tone="error">{join.error}</Banner>}
    </Dialog>
  );
}
