// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { Bell, UserRound } from 'lucide-react';
import { afterEach, expect, it } from 'vitest';
import { Steps } from '#/list/steps.tsx';
import { SettingsLayout, SettingsSection } from '#/settings/settings.tsx';

afterEach(cleanup);

it('SHELL-8 the list of settings says where one is and each section is a named region', () => {
  render(
    <SettingsLayout
      label="Settings"
      items={[
        { href: '#profile', label: 'Profile', icon: UserRound, current: 'section' },
        { href: '#notify', label: 'Notifications', icon: Bell },
      ]}
    >
      <SettingsSection id="profile" title="Profile" text="What others see.">
        <p>Ana</p>
      </SettingsSection>
    </SettingsLayout>,
  );
  const links = within(screen.getByRole('navigation', { name: 'Settings' })).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('aria-current'))).toEqual(['true', null]);
  expect(screen.getByRole('region', { name: 'Profile' }).id).toBe('profile');
});

it('SHELL-8 the step one is at and those that are done are said, not only drawn', () => {
  render(<Steps label="Import" steps={['File', 'Columns', 'Check']} current={1} />);
  const steps = within(screen.getByRole('list', { name: 'Import' })).getAllByRole('listitem');
  expect(steps.map((step) => step.getAttribute('aria-current'))).toEqual([null, 'step', null]);
  expect(steps[0]?.textContent).toBe('File, done');
  expect(steps[1]?.textContent).toBe('2Columns');
});
