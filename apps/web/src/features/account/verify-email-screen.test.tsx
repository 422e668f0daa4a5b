// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen } from '@testing-library/react';
import { type Account, cancelEmailChange, getAccount, sendVerification } from '@wardline/contract/account/account.ts';
import { describe, expect, it } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { anaUser } from '#/testing/fake-chats.ts';
import { VerifyEmailScreen } from './verify-email-screen.tsx';

const verified: Account = {
  email: anaUser.email,
  email_verified_at: '2026-11-01T00:00:00Z',
  pending_email: null,
  password_changed_at: null,
};

function setUp(account: Account, { isLinkInvalid = false } = {}) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  app.api.on(getAccount, () => account);
  app.api.on(sendVerification, () => ({ status: 'A link is on its way.' }));
  app.api.on(cancelEmailChange, () => ({ ...account, pending_email: null }));
  app.draw(<VerifyEmailScreen user={anaUser} isLinkInvalid={isLinkInvalid} />);
  return app;
}

describe('NAV-4 ACC-5 the page of an address that waits to be verified', () => {
  it('NAV-4 ACC-5 says which address waits and sends its link again', async () => {
    setUp({ ...verified, pending_email: 'new@demo.test' });
    expect(screen.getByRole('heading', { name: 'Verify your email' })).toBeTruthy();
    expect(await screen.findByText('new@demo.test')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Resend link' }));
    expect(await screen.findByText('A link is on its way.')).toBeTruthy();
  });

  it('NAV-4 ACC-5 a change of mind ends the waiting', async () => {
    setUp({ ...verified, pending_email: 'new@demo.test' });
    fireEvent.click(await screen.findByRole('button', { name: 'Cancel the change' }));
    expect(await screen.findByText(/is verified\.$/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Resend link' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Go to dashboard' }).getAttribute('href')).toBe('/dashboard');
  });

  it('NAV-4 a link without force says what to do, which depends on what waits', async () => {
    setUp({ ...verified, email_verified_at: null }, { isLinkInvalid: true });
    expect(await screen.findByText(/Ask for a new one\.$/)).toBeTruthy();
    expect(screen.getByText('This link is no longer valid.')).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Resend link' })).toBeTruthy();
  });

  it('NAV-4 a failure is said, with the way to ask again', async () => {
    const { refuse, answer } = setUp(verified);
    refuse(503);
    expect(await screen.findByText('Your address could not be loaded')).toBeTruthy();
    answer();
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText(/is verified\.$/)).toBeTruthy();
  });
});
