import './account.css';
import type { User } from '@wardline/contract/auth.ts';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useShellActions } from '#/page/shell-actions.ts';
import { useOnline } from '#/page/use-online.ts';
import { AboutSection } from './about-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SecuritySection } from './security-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { SettingsNav } from './settings-nav.tsx';
import { SettingsSection } from './settings-section.tsx';
import { sectionIds } from './settings-sections.ts';

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
  const slots: Readonly<Record<string, ReactNode>> = { app: installedApp, invitations };
  const shown = sectionIds.filter((id) => !(id in slots) || Boolean(slots[id]));
  return (
    <>
      <TopBar title="Settings" context={`${user.name} · ${user.email}`} actions={useShellActions()} />
      <PageContent className="set">
        <SettingsNav ids={shown} current={current} />
        <div className="set-parts">
          {notice}
          {!isOnline && (
            <Banner tone="neutral" icon={CloudOff} announce="none">
              You can read your settings. Changing them needs the network; the appearance does not.
            </Banner>
          )}
          <ProfileSection user={user} onChanged={onChanged} />
          <AppearanceSection />
          <SecuritySection user={user} />
          <SessionsSection />
          {installedApp && (
            <SettingsSection id="app" title="Installed app" isLocal>
              {installedApp}
            </SettingsSection>
          )}
          {invitations && (
            <SettingsSection id="invitations" title="Invitations">
              {invitations}
            </SettingsSection>
          )}
          <AboutSection build={build} />
        </div>
      </PageContent>
    </>
  );
}
