import { Navigate, useLocation } from '@tanstack/react-router';
import { useSession, useUser } from '#/features/auth/index.ts';
import { useCurrentFacility, useFacilities } from '#/features/facilities/index.ts';
import { FacilitySettingsScreen } from '#/features/facility-settings/index.ts';
import { InvitationsPanel } from '#/features/invitations/index.ts';

const NEEDED = 'facility.manage';

/** Administration of the facility one is in, or of the first that one administers. */
export function FacilitySettingsPage() {
  const { id: myId } = useUser();
  const session = useSession();
  const hash = useLocation({ select: ({ hash }) => hash });
  const current = useCurrentFacility();
  const mine = useFacilities().filter(({ permissions }) => permissions.includes(NEEDED));
  const facility = mine.find(({ id }) => id === current?.id) ?? mine[0];
  if (!facility) return <Navigate to="/403" replace />;
  return (
    <FacilitySettingsScreen
      key={facility.id}
      facility={facility}
      myId={myId}
      current={hash}
      invitations={<InvitationsPanel facilities={[facility]} />}
      onOwnChange={() => session.refresh()}
    />
  );
}
