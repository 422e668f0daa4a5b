import { useLocation, useRouter } from '@tanstack/react-router';
import { useObservable } from '@wardline/client/use-observable.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { useServices } from '#/app/services/services-context.ts';
import { useSignOut } from '#/app/sign-out/use-sign-out.ts';
import { SettingsScreen } from '#/features/account/index.ts';
import { useSession, useUser } from '#/features/auth/index.ts';
import { useFacilities } from '#/features/facilities/index.ts';
import { InvitationsPanel, JoinDialog } from '#/features/invitations/index.ts';
import { NotificationsPanel } from '#/features/notifications/index.ts';
import { pageInstall } from '#/shared/contexts/page-install.ts';
import { buildId } from '#/shared/navigation/build-id.ts';

/** The settings, with what belongs to other features in its places. */
export function SettingsPage({ invitation }: { invitation: string | null }) {
  const user = useUser();
  const session = useSession();
  const { signOut } = useSignOut();
  const router = useRouter();
  const { is_offered, push_key } = useServices().config.notifications;
  const current = useLocation({ select: ({ hash }) => hash });
  const [joined, setJoined] = useState<string | null>(null);
  const facilities = useFacilities();
  const administered = facilities.find(({ permissions }) => permissions.includes('facility.manage'));
  const assigns = facilities.some(({ permissions }) => permissions.includes('results.assign'));
  const [first, ...others] = facilities.filter(({ permissions }) => permissions.includes('members.manage'));
  const close = () => void router.navigate({ to: '/settings', replace: true });
  return (
    <>
      <SettingsScreen
        user={user}
        current={current}
        onChanged={() => session.refresh()}
        onDeleted={() => signOut({ discardUnsent: true })}
        notice={joined !== null && <Banner tone="success">You are now a member of {joined}.</Banner>}
        facility={
          (administered || assigns) && (
            <Card hasPadding>
              <div className="row wrap">
                {administered && (
                  <Button asChild variant="outline" color="neutral">
                    <Link href="/settings/facility">Facility settings</Link>
                  </Button>
                )}
                <Button asChild variant="outline" color="neutral">
                  <Link href="/settings/laboratory">Laboratory results</Link>
                </Button>
              </div>
            </Card>
          )
        }
        invitations={first && <InvitationsPanel facilities={[first, ...others]} />}
        notifications={
          is_offered && <NotificationsPanel userId={user.id} pushKey={push_key} installHref="/settings#app" />
        }
        installedApp={<InstalledApp />}
        system={
          user.is_operator && (
            <Card hasPadding>
              <Button asChild variant="outline" color="neutral">
                <Link href="/settings/system">System administration</Link>
              </Button>
            </Card>
          )
        }
        audit={facilities.length > 0 && <AuditLinks facilities={facilities} />}
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

/** Who read in my chats, and for who may see it in the whole facility. */
function AuditLinks({ facilities }: { readonly facilities: readonly Facility[] }) {
  const mayView = facilities.some(({ permissions }) => permissions.includes('audit.view'));
  return (
    <Card hasPadding className="stack">
      <p>Everyone who opens a patient’s chat is listed, with the time.</p>
      <p className="row wrap">
        <Button asChild variant="outline" color="neutral">
          <Link href="/settings/readers">Who opened my chats</Link>
        </Button>
        {mayView && (
          <Button asChild variant="outline" color="neutral">
            <Link href="/settings/audit">Audit log</Link>
          </Button>
        )}
      </p>
    </Card>
  );
}

/** Whether this is the installed app, and how it becomes one. */
function InstalledApp() {
  const install = useObservable(pageInstall);
  return (
    <Card hasPadding className="stack">
      {install ? <State install={install} /> : <p>This browser can’t install the app yet.</p>}
    </Card>
  );
}

function State({ install }: { install: NonNullable<ReturnType<typeof pageInstall.get>> }) {
  const { isInstalled, isOffered, steps } = useObservable(install);
  if (isInstalled) return <p>You are using the installed app.</p>;
  if (steps.length > 0) {
    return (
      <ol className="offer-steps">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    );
  }
  if (!isOffered) return <p>Install it from your browser’s menu, if it offers that.</p>;
  return (
    <>
      <p>Opens from your home screen in its own window and works offline.</p>
      <p>
        <Button onClick={() => void install.install()}>Install</Button>
      </p>
    </>
  );
}
