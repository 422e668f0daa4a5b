import { Bell, KeyRound, Monitor, Smartphone, SunMoon, UserRound } from 'lucide-react';
import { Button } from '#/button/button.tsx';
import { Card } from '#/card/card.tsx';
import { PageContent } from '#/frame/page-content.tsx';
import { TopBar } from '#/frame/top-bar.tsx';
import { Switch } from '#/input/switch.tsx';
import { TextInput } from '#/input/text-input.tsx';
import { Steps } from '#/list/steps.tsx';
import { Badge } from '#/mark/badge.tsx';
import { SettingsLayout, SettingsRow, SettingsSection } from '#/settings/settings.tsx';
import type { Specimen } from '../specimen.ts';

function Settings() {
  return (
    <>
      <TopBar title="Settings" context="Ana Reyes" />
      <PageContent>
        <SettingsLayout
          label="Settings"
          items={[
            { href: '#profile', label: 'Profile', icon: UserRound, current: 'section' },
            { href: '#look', label: 'Appearance', icon: SunMoon },
            { href: '#notify', label: 'Notifications', icon: Bell },
            { href: '#security', label: 'Sign-in and security', icon: KeyRound },
            { href: '#devices', label: 'Sessions and devices', icon: Monitor },
          ]}
        >
          <SettingsSection id="profile" title="Profile" text="What the people of your facilities see.">
            <Card hasPadding className="g-grid">
              <TextInput label="Name" defaultValue="Ana Reyes" />
              <TextInput
                label="Email"
                type="email"
                defaultValue="ana.reyes@stbrigid.example"
                help="A new address is checked by mail before it counts."
              />
            </Card>
          </SettingsSection>
          <SettingsSection
            id="devices"
            title="Sessions and devices"
            action={
              <Button variant="link" color="error">
                End all others
              </Button>
            }
          >
            <Card isList>
              <SettingsRow icon={Monitor} title="Ward computer 3A-2" text="St. Brigid General, level 3 · now">
                <Badge tone="primary">This device</Badge>
              </SettingsRow>
              <SettingsRow icon={Smartphone} title="Phone, installed app" text="St. Brigid General · 4 min ago">
                <Button variant="outline" color="neutral">
                  End
                </Button>
              </SettingsRow>
              <SettingsRow
                title="Quiet hours follow my shifts"
                text="Off duty only urgent and critical come through. Next shift Fri 20 Nov, 19:00."
              >
                <Switch label="Quiet hours follow my shifts" isLabelHidden defaultChecked />
              </SettingsRow>
            </Card>
          </SettingsSection>
        </SettingsLayout>
      </PageContent>
    </>
  );
}

function Importing() {
  return <Steps label="Import" steps={['Choose a file', 'Match the columns', 'Check', 'Import']} current={2} />;
}

export const specimen: Specimen = {
  id: 'settings',
  title: 'Settings and steps',
  group: 'Forms',
  cases: [
    { name: 'Settings', Show: Settings, height: 640 },
    { name: 'Steps', Show: Importing },
  ],
};
