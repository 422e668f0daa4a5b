import { useLocation, useRouter } from '@tanstack/react-router';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { SettingsScreen } from '#/features/account/index.ts';
import { useSession, useUser } from '#/features/auth/index.ts';
import { useFacilities } from '#/features/facilities/index.ts';
import { InvitationsPanel, JoinDialog } from '#/features/invitations/index.ts';
import { buildId } from '#/page/build-id.ts';
import { InstalledApp } from './installed-app.tsx';

/** The settings, with what belongs to other features in its places. */
export function SettingsPage({ invitation }: { invitation: string | null }) {
  const user = useUser();
  const session = useSession();
  const router = useRouter();
  const current = useLocation({ select: ({ hash }) => hash });
  const [joined, setJoined] = useState<string | null>(null);
  const [first, ...others] = useFacilities().filter(({ permissions }) => permissions.includes('members.manage'));
  const close = () => void router.navigate({ to: '/settings', replace: true });
  return (
    <>
      <SettingsScreen
        user={user}
        current={current}
        onChanged={() => session.refresh()}
        notice={joined !== null && <Banner tone="success">You are now a member of {joined}.</Banner>}
        invitations={first && <InvitationsPanel facilities={[first, ...others]} />}
        installedApp={<InstalledApp />}
        build={buildId()}
      />
      {invitation !== null && (
        <JoinDialog
          key={invitation}
          token={invitation}
          email={user.email}
          onJoined={async (facilityName) => {
            await session.refresh();
            setJoined(facilityName);
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}
