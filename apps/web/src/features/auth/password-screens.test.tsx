// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { forgotPassword, resetPassword } from '@wardline/contract/account/account.ts';
import { describe, expect, it, vi } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { anaUser } from '#/testing/fake-chats.ts';
import { ForgotPasswordScreen } from './forgot-password-screen.tsx';
import { PasswordResetScreen } from './password-reset-screen.tsx';

const token = 'r'.repeat(43);
const password = 'correct horse battery';
const type = (label: string, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } });

describe('NAV-2 a forgotten password', () => {
  it('NAV-2 sends the address and says what the server says, whatever it knows', async () => {
    const { api, draw } = createFakeApp();
    const asked = vi.fn();
    api.on(forgotPassword, ({ body }) => {
      asked(body);
      return { status: 'If there is an account with this address, a link is on its way.' };
    });
    draw(<ForgotPasswordScreen onSignedIn={vi.fn()} />);
    type('Email', 'ana@demo.test');
    fireEvent.click(screen.getByRole('button', { name: 'Send link' }));
    expect((await screen.findByRole('status')).textContent).toBe(
      'If there is an account with this address, a link is on its way.',
    );
    expect(asked).toHaveBeenCalledWith({ email: 'ana@demo.test' });
    expect(screen.getByRole('button', { name: 'Send again' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to sign in' }).getAttribute('href')).toBe('/sign-in');
  });

  it('NAV-2 asks nobody while the field is empty, and says a refusal', async () => {
    const { api, draw, refuse } = createFakeApp();
    draw(<ForgotPasswordScreen onSignedIn={vi.fn()} />);
    fireEvent.click(screen.getByRole('button', { name: 'Send link' }));
    expect(screen.getByText('Enter your email.')).toBeTruthy();
    expect(api.asked).toEqual([]);
    refuse(429, { retryAfterS: 30 });
    type('Email', 'ana@demo.test');
    fireEvent.click(screen.getByRole('button', { name: 'Send link' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Too many attempts. Try again in 30 s.');
  });

  it('NAV-2 is left when somebody turns out to be signed in', async () => {
    const { draw, setSession } = createFakeApp();
    const onSignedIn = vi.fn();
    draw(<ForgotPasswordScreen onSignedIn={onSignedIn} />);
    setSession({ status: 'signed-in', user: anaUser, confirmed: true });
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
  });
});

describe('NAV-2 ACC-2 setting a new password', () => {
  function setUp(email = 'ana@demo.test') {
    const app = createFakeApp();
    const onSet = vi.fn();
    const asked = vi.fn();
    app.api.on(resetPassword, ({ body }) => {
      asked(body);
      return { status: 'Your password is set. Sign in with it.' };
    });
    app.draw(<PasswordResetScreen token={token} email={email} onSet={onSet} onSignedIn={vi.fn()} />);
    return {
      ...app,
      onSet,
      asked,
      submit: () => fireEvent.click(screen.getByRole('button', { name: 'Set password' })),
    };
  }

  it('ACC-2 sends the secret of the link and the password, and goes on', async () => {
    const { onSet, asked, submit } = setUp();
    type('New password', password);
    submit();
    await waitFor(() => expect(onSet).toHaveBeenCalledOnce());
    expect(asked).toHaveBeenCalledWith({
      token,
      email: 'ana@demo.test',
      password,
      password_confirmation: password,
    });
  });

  it('ACC-2 a link that does not name its address asks for it', async () => {
    const { onSet, submit } = setUp('');
    type('New password', password);
    submit();
    expect(screen.getByText('Enter your email.')).toBeTruthy();
    expect(onSet).not.toHaveBeenCalled();
    type('Email', 'ana@demo.test');
    submit();
    await waitFor(() => expect(onSet).toHaveBeenCalledOnce());
  });

  it('ACC-2 a link without force is said above the form, a bad password at its field; a new link is one press away', async () => {
    const { onSet, submit, refuse } = setUp();
    refuse(422, {
      errors: {
        token: ['This link is no longer valid. Ask for a new one.'],
        password: ['This password contains your name or your email address.'],
      },
    });
    type('New password', password);
    submit();
    expect((await screen.findByRole('alert')).textContent).toBe('This link is no longer valid. Ask for a new one.');
    expect(screen.getByText('This password contains your name or your email address.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Ask for a new link' }).getAttribute('href')).toBe('/forgot-password');
    expect(onSet).not.toHaveBeenCalled();
  });
});
