import './account.css';
import type { User } from '@wardline/contract/auth.ts';
import { Card } from '@wardline/ui/card/card.tsx';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { SettingsLayout } from '@wardline/ui/settings/settings.tsx';
import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { PanelBoundary } from '#/page/panel-boundary.tsx';
import { useShellActions } from '#/page/shell-actions.ts';
import { useOnline } from '#/page/use-online.ts';
import { AboutSection } from './about-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SecuritySection } from './security-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { SettingsSection } from './settings-section.tsx';
import { type SectionId, sectionIds, sectionPath, sections } from './settings-sections.ts';
import { useHoldSection } from './use-hold-section.ts';

interface SettingsScreenProps {
  readonly user: User;
  /** The part that the address names. */
  readonly current: string;
  /** The server knows something new of this person. */
  readonly onChanged: () => Promise<void>;
  /** Over the parts: what has just happened. */
  readonly notice?: ReactNode;
  /** How the app is installed. */
  readonly installedApp?: ReactNode;
  /** For who may invite. */
  readonly invitations?: ReactNode;
  readonly build: string | null;
}

/** ACC-5: everything of one's own account, one part under the other, so that nothing typed is lost between them. */
export function SettingsScreen(props: SettingsScreenProps) {
  const { user, current, onChanged, notice, installedApp, invitations, build } = props;
  const isOnline = useOnline();
  useHoldSection(current);
  const parts: Readonly<Record<SectionId, ReactNode>> = {
    profile: <ProfileSection user={user} onChanged={onChanged} />,
    appearance: <AppearanceSection />,
    security: <SecuritySection user={user} />,
    devices: <SessionsSection />,
    app: installedApp && (
      <SettingsSection id="app" title={sections.app.label} isLocal>
        {installedApp}
      </SettingsSection>
    ),
    invitations: invitations && (
      <SettingsSection id="invitations" title={sections.invitations.label}>
        {invitations}
      </SettingsSection>
    ),
    about: <AboutSection build={build} />,
  };
  const shown = sectionIds.filter((id) => Boolean(parts[id]));
  const marked = shown.find((id) => id === current) ?? shown[0];
  return (
    <>
      <TopBar title="Settings" context={`${user.name} · ${user.email}`} actions={useShellActions()} />
      <PageContent>
        <SettingsLayout
          label="Settings"
          items={shown.map((id) => ({
            href: sectionPath(id),
            ...sections[id],
            current: id === marked ? 'section' : undefined,
          }))}
        >
          {notice}
          {!isOnline && (
            <Banner tone="neutral" icon={CloudOff} announce="none">
              You’re offline. You can read your settings, but only the appearance can be changed.
            </Banner>
          )}
          {shown.map((id) => (
            <PanelBoundary key={id} frame={(failure) => <BrokenSection id={id} failure={failure} />}>
              {parts[id]}
            </PanelBoundary>
          ))}
        </SettingsLayout>
      </PageContent>
    </>
  );
}

/** The links beside the parts still lead to it. */
function BrokenSection({ id, failure }: { id: SectionId; failure: ReactNode }) {
  return (
    <SettingsSection id={id} title={sections[id].label} isLocal>
      <Card>{failure}</Card>
    </SettingsSection>
  );
}
