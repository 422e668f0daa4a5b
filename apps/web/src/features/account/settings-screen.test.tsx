// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { updateProfile } from '@wardline/contract/account/account.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { setOnline } from '#/testing/fake-app.tsx';
import { anaUser } from '#/testing/fake-chats.ts';
import { part, press, setUpSettings, type } from './testing/fake-account.tsx';

// happy-dom does not know that a fieldset disables what is in it.
const isDisabled = (element: HTMLElement) => element.closest('fieldset:disabled') !== null;

afterEach(() => void vi.restoreAllMocks());

describe('ACC-5 the settings', () => {
  it('NAV-4 ACC-5 every part has its heading and its own address; the one in the address is marked', () => {
    const { draw } = setUpSettings({ slots: { installedApp: 'how', invitations: 'whom' } });
    draw('devices');
    const links = within(screen.getByRole('navigation', { name: 'Settings' })).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Profile', '/settings#profile'],
      ['Appearance', '/settings#appearance'],
      ['Sign-in and security', '/settings#security'],
      ['Sessions and devices', '/settings#devices'],
      ['Your data', '/settings#data'],
      ['Installed app', '/settings#app'],
      ['Invitations', '/settings#invitations'],
      ['About', '/settings#about'],
    ]);
    for (const link of links) {
      const target = document.querySelector(`${link.getAttribute('href')?.replace('/settings', '')}`);
      expect(target).toBe(screen.getByRole('region', { name: link.textContent }));
    }
    expect(screen.getByRole('link', { current: true }).textContent).toBe('Sessions and devices');
  });

  it('ACC-5 who may not invite sees no such part', () => {
    const { draw } = setUpSettings();
    draw();
    expect(screen.queryByRole('region', { name: 'Invitations' })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Invitations' })).toBeNull();
    expect(screen.getByRole('link', { current: true }).textContent).toBe('Profile');
  });

  it('SHELL-8 the keyboard goes on in the part that was chosen', () => {
    const { draw } = setUpSettings();
    draw();
    fireEvent.click(screen.getByRole('link', { name: 'About' }));
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'About' }));
  });

  it('ACC-5 says which product and build this is', () => {
    const { draw } = setUpSettings();
    draw();
    expect(part('About').getByText('Wardline')).toBeTruthy();
    expect(part('About').getByText('b-7')).toBeTruthy();
  });

  it('MODE-1 ACC-5 the appearance is chosen at once and kept', () => {
    const { draw } = setUpSettings();
    draw();
    fireEvent.click(screen.getByRole('radio', { name: 'Dark' }));
    expect(document.documentElement.dataset['mode']).toBe('dark');
    expect(localStorage.getItem('wardline-color-mode')).toBe('dark');
    fireEvent.click(screen.getByRole('radio', { name: 'System' }));
  });
});

describe('ACC-5 the name', () => {
  it('ACC-5 is sent, and the identity asked for anew', async () => {
    const { api, draw, onChanged } = setUpSettings();
    api.on(updateProfile, ({ body }) => ({ ...anaUser, name: body.name }));
    draw();
    expect(screen.queryByRole('button', { name: 'Save name' })).toBeNull();
    type('Name', 'Ana Reyes-Moreau');
    press('Save name');
    expect(await screen.findByText('Saved.')).toBeTruthy();
    expect(onChanged).toHaveBeenCalledOnce();
    expect(api.asked).toContain('PATCH /api/user');
  });

  it('ACC-5 stays as it was typed while another part is changed and the identity is told anew, and can be undone', () => {
    const { draw, screenOf, onChanged } = setUpSettings();
    const { rerender } = draw();
    type('Name', 'Ana R');
    rerender(screenOf({ ...anaUser, name: 'Ana', memberships: [] }));
    fireEvent.click(screen.getByRole('link', { name: 'About' }));
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ana R');
    press('Undo');
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ana');
    expect(onChanged).not.toHaveBeenCalled();
  });

  it('ACC-5 a refusal stands at the field, with what was typed', async () => {
    const { draw, refuse } = setUpSettings();
    draw();
    refuse(422, { errors: { name: ['At most 120 characters.'] } });
    type('Name', 'Ana the Long');
    press('Save name');
    expect(await screen.findByText('At most 120 characters.')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ana the Long');
  });
});

describe('PWA-5 ACC-5 without a network', () => {
  it('PWA-5 ACC-5 the settings can be read and not changed, and say so; the appearance can', async () => {
    const { draw } = setUpSettings();
    draw();
    await screen.findByText('Safari on iPhone');
    act(() => setOnline(false));
    expect(screen.getByText(/You’re offline. You can read your settings/)).toBeTruthy();
    for (const name of ['Change picture', 'Change email', 'Change password', 'End Safari on iPhone'])
      expect(isDisabled(screen.getByRole('button', { name }))).toBe(true);
    expect(isDisabled(screen.getByLabelText('Name'))).toBe(true);
    expect(isDisabled(screen.getByRole('radio', { name: 'Dark' }))).toBe(false);
    act(() => setOnline(true));
    expect(isDisabled(screen.getByLabelText('Name'))).toBe(false);
  });
});
