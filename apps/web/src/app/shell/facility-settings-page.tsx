import { Navigate, useLocation } from '@tanstack/react-router';
import { useSession, useUser } from '#/features/auth/index.ts';
import { FormsScreen } from '#/features/examinations/index.ts';
import { usePermittedFacility } from '#/features/facilities/index.ts';
import { FacilitySettingsScreen } from '#/features/facility-settings/index.ts';
import { InvitationsPanel } from '#/features/invitations/index.ts';
import { RecordsPanel } from '#/features/records/index.ts';

/** Administration of the facility one is in, or of the first that one administers. */
export function FacilitySettingsPage() {
  const { id: myId, memberships } = useUser();
  const session = useSession();
  const hash = useLocation({ select: ({ hash }) => hash });
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  const facility = usePermittedFacility('facility.manage');
  if (!facility) return <Navigate to="/403" replace />;
  const view = new URLSearchParams(search);
  if (view.get('view') === 'forms')
    return <FormsScreen key={facility.id} facility={facility} formId={view.get('form')} />;
  return (
    <FacilitySettingsScreen
      key={facility.id}
      facility={facility}
      myId={myId}
      myRoles={memberships.find(({ facility_id }) => facility_id === facility.id)?.roles ?? []}
      current={hash}
      invitations={<InvitationsPanel facilities={[facility]} />}
      records={<RecordsPanel facility={facility} />}
      onOwnChange={() => session.refresh()}
    />
  );
}
