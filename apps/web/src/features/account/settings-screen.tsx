import './account.css';
import type { User } from '@wardline/contract/account/auth.ts';
import { Card } from '@wardline/ui/card/card.tsx';
import { useColourMode } from '@wardline/ui/colour-mode/use-colour-mode.ts';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { ModePicture } from '@wardline/ui/input/mode-picture.tsx';
import { RadioCards } from '@wardline/ui/input/radio-group.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { SettingsLayout } from '@wardline/ui/settings/settings.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { PanelBoundary } from '#/shared/errors/panel-boundary.tsx';
import { appearances } from '#/shared/forms/appearances.ts';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { useProductName } from '#/shared/navigation/page-title.ts';
import { useHoldSection } from '#/shared/navigation/use-hold-section.ts';
import type { OwnDataPanelProps } from './own-data/own-data-panel.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SecuritySection } from './security-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { SettingsSection } from './settings-section.tsx';
import { type SectionId, sectionIds, sectionPath, sections } from './settings-sections.ts';

const OwnDataPanel = lazyPart<OwnDataPanelProps>(
  async () => (await import('./own-data/own-data-panel.tsx')).OwnDataPanel,
  {
    whileLoading: () => <Skeleton count={2} label="Loading your data" />,
  },
);

interface SettingsScreenProps {
  readonly user: User;
  /** The part that the address names. */
  readonly current: string;
  /** The server knows something new of this person. */
  readonly onChanged: () => Promise<void>;
  /** The account is no more: leaves this device as nobody. */
  readonly onDeleted: () => Promise<void>;
  /** Over the parts: what has just happened. */
  readonly notice?: ReactNode;
  /** How the app is installed. */
  readonly installedApp?: ReactNode;
  /** By which ways one is told of messages, where the back end knows of it. */
  readonly notifications?: ReactNode;
  /** For who administers a facility. */
  readonly facility?: ReactNode;
  /** For who may invite. */
  readonly invitations?: ReactNode;
  /** Leads to who read and did what. */
  readonly audit?: ReactNode;
  /** For who runs the installation. */
  readonly system?: ReactNode;
  readonly build: string | null;
}

/** ACC-5: everything of one's own account, one part under the other, so that nothing typed is lost between them. */
export function SettingsScreen(props: SettingsScreenProps) {
  const {
    user,
    current,
    onChanged,
    onDeleted,
    notice,
    installedApp,
    notifications,
    facility,
    invitations,
    audit,
    system,
    build,
  } = props;
  const isOnline = useOnline();
  // What came of a way to a sign-in provider is told there.
  const named = current.startsWith('sso=') ? 'security' : current;
  useHoldSection(named);
  const parts: Readonly<Record<SectionId, ReactNode>> = {
    profile: <ProfileSection user={user} onChanged={onChanged} />,
    appearance: <AppearanceSection />,
    notifications: notifications && (
      <SettingsSection id="notifications" title={sections.notifications.label}>
        {notifications}
      </SettingsSection>
    ),
    security: <SecuritySection user={user} />,
    devices: <SessionsSection />,
    data: (
      <SettingsSection id="data" title={sections.data.label}>
        <OwnDataPanel user={user} onDeleted={onDeleted} />
      </SettingsSection>
    ),
    app: installedApp && (
      <SettingsSection id="app" title={sections.app.label} isLocal>
        {installedApp}
      </SettingsSection>
    ),
    facility: facility && (
      <SettingsSection id="facility" title={sections.facility.label}>
        {facility}
      </SettingsSection>
    ),
    invitations: invitations && (
      <SettingsSection id="invitations" title={sections.invitations.label}>
        {invitations}
      </SettingsSection>
    ),
    audit: audit && (
      <SettingsSection id="audit" title={sections.audit.label} isLocal>
        {audit}
      </SettingsSection>
    ),
    system: system && (
      <SettingsSection id="system" title={sections.system.label} isLocal>
        {system}
      </SettingsSection>
    ),
    about: <AboutSection build={build} />,
  };
  const shown = sectionIds.filter((id) => Boolean(parts[id]));
  const marked = shown.find((id) => id === named) ?? shown[0];
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

/** Which product and which build this is, for whoever is asked for help. */
function AboutSection({ build }: { build: string | null }) {
  const product = useProductName();
  return (
    <SettingsSection id="about" title="About" isLocal>
      <Card hasPadding className="stack">
        <p className="medium strong">{product}</p>
        {build !== null && (
          <p className="t13 muted">
            Build <span className="mono breaks">{build}</span>
          </p>
        )}
        <p className="row row-4 wrap t13">
          <Link className="set-link" href="/about">
            About {product}
          </Link>
          <Link className="set-link" href="/contacts">
            Contacts
          </Link>
        </p>
      </Card>
    </SettingsSection>
  );
}

/** Light, dark, or as the system has it; kept in this browser. */
function AppearanceSection() {
  const { preference, set } = useColourMode();
  return (
    <SettingsSection id="appearance" title="Appearance" isLocal>
      <Card hasPadding>
        <RadioCards
          label="Mode"
          isLabelHidden
          value={preference}
          onValueChange={set}
          choices={appearances.map(({ value, label }) => ({ value, label, picture: <ModePicture mode={value} /> }))}
        />
      </Card>
    </SettingsSection>
  );
}
