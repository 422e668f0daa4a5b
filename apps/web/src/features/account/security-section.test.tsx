// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  cancelEmailChange,
  changeEmail,
  changePassword,
  sendVerification,
} from '@wardline/contract/account/account.ts';
import { describe, expect, it } from 'vitest';
import { anaUser } from '#/testing/fake-chats.ts';
import { here, part, press, setUpSettings } from './testing/fake-account.tsx';

describe('ACC-5 the email', () => {
  it('ACC-5 changes with the password; until the link is followed it waits, can be sent again and be cancelled', async () => {
    const { api, draw, state } = setUpSettings();
    api.on(changeEmail, ({ body }) => {
      state.sent.push(body);
      state.account = { ...state.account, pending_email: body.email };
      return state.account;
    });
    api.on(sendVerification, () => ({ status: 'A link is on its way to new@demo.test.' }));
    api.on(cancelEmailChange, () => {
      state.account = { ...state.account, pending_email: null };
      return state.account;
    });
    draw();
    press('Change email');
    const dialog = within(await screen.findByRole('dialog', { name: 'Change email' }));
    fireEvent.input(dialog.getByLabelText('New email'), { target: { value: 'new@demo.test' } });
    fireEvent.input(dialog.getByLabelText('Password'), { target: { value: 'secret' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Send link' }));
    expect(await screen.findByText('new@demo.test')).toBeTruthy();
    expect(state.sent).toEqual([{ email: 'new@demo.test', current_password: 'secret' }]);
    expect(screen.queryByRole('dialog')).toBeNull();
    press('Resend link');
    expect(await screen.findByText('A link is on its way to new@demo.test.')).toBeTruthy();
    press('Cancel the change');
    await waitFor(() => expect(screen.queryByText('new@demo.test')).toBeNull());
    expect(part('Sign-in and security').getByText('Verified')).toBeTruthy();
  });

  it('ACC-5 a wrong password is said at its field and the dialog stays', async () => {
    const { draw, refuse } = setUpSettings();
    draw();
    await screen.findByText(/^Changed/);
    press('Change email');
    refuse(422, { errors: { current_password: ['This is not your password.'] } });
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.input(dialog.getByLabelText('New email'), { target: { value: 'new@demo.test' } });
    fireEvent.input(dialog.getByLabelText('Password'), { target: { value: 'wrong' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Send link' }));
    expect(await dialog.findByText('This is not your password.')).toBeTruthy();
    expect(document.activeElement).toBe(dialog.getByLabelText('Password'));
  });

  it('ACC-5 an address that was never verified says so and has its link sent again', async () => {
    const { api, draw } = setUpSettings({ user: { ...anaUser, email_verified_at: null } });
    api.on(sendVerification, () => ({ status: 'A link is on its way.' }));
    draw();
    expect(screen.getByText('Not verified')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Cancel the change' })).toBeNull();
    press('Resend link');
    expect(await screen.findByText('A link is on its way.')).toBeTruthy();
  });
});

describe('ACC-5 ACC-2 the password', () => {
  it('ACC-5 ACC-2 is changed by who knows the present one, and ends everything else', async () => {
    const { api, draw, state } = setUpSettings();
    api.on(changePassword, ({ body }) => {
      state.sent.push(body);
      state.sessions = [here];
      return undefined;
    });
    draw();
    expect(await screen.findByText(/^Changed Mon/)).toBeTruthy();
    press('Change password');
    const dialog = within(await screen.findByRole('dialog', { name: 'Change password' }));
    expect(dialog.getByLabelText('Current password').getAttribute('autocomplete')).toBe('current-password');
    expect(dialog.getByLabelText('New password').getAttribute('autocomplete')).toBe('new-password');
    fireEvent.input(dialog.getByLabelText('Current password'), { target: { value: 'secret' } });
    fireEvent.input(dialog.getByLabelText('New password'), { target: { value: 'correct horse battery' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByText('Password changed. You are signed out everywhere else.')).toBeTruthy();
    expect(state.sent).toEqual([
      {
        current_password: 'secret',
        password: 'correct horse battery',
        password_confirmation: 'correct horse battery',
      },
    ]);
    await waitFor(() => expect(part('Sessions and devices').getAllByRole('listitem')).toHaveLength(1));
  });

  it.each([
    [429, { retryAfterS: 60 }, 'Too many attempts. Try again in 60 s.'],
    [500, {}, 'The server failed. What you entered is still here; try again.'],
  ])('ACC-5 a refusal with %i is said in words', async (status, details, text) => {
    const { draw, refuse } = setUpSettings();
    draw();
    await screen.findByText(/^Changed/);
    press('Change password');
    refuse(status, details);
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.input(dialog.getByLabelText('Current password'), { target: { value: 'secret' } });
    fireEvent.input(dialog.getByLabelText('New password'), { target: { value: 'correct horse battery' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Change password' }));
    expect((await dialog.findByRole('alert')).textContent).toBe(text);
  });
});
