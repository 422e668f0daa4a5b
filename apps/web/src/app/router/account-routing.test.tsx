// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { createMemoryHistory, Outlet, RouterProvider } from '@tanstack/react-router';
import { act, render, screen, waitFor } from '@testing-library/react';
import { createSource } from '@wardline/client/observable.ts';
import type { SessionState } from '@wardline/client/session/session.ts';
import { testConfig } from '@wardline/client/testing/test-config.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { prerenderConfig } from '#/app/services/prerender-config.ts';
import { VerifiedNotice } from '#/app/shell/notices.tsx';
import { anaUser } from '#/testing/fake-chats.ts';
import { createAppRouter } from './router.tsx';

type Props = Record<string, unknown> & { onSignedIn?: () => void; onSet?: () => void };
const shown = vi.hoisted(() => ({ props: {} as Props }));
const screenOf = vi.hoisted(() => (title: string) => (props: Props) => {
  shown.props = props;
  return title;
});
vi.mock('#/app/shell/signed-in-layout.tsx', () => ({
  SignedInLayout: () => (
    <>
      <VerifiedNotice />
      <Outlet />
    </>
  ),
}));
vi.mock('#/app/shell/dashboard-screen.tsx', () => ({ DashboardScreen: () => <h1>Dashboard</h1> }));
vi.mock('#/app/shell/settings-page.tsx', () => ({ SettingsPage: screenOf('Settings') }));
vi.mock('#/app/services/use-config.ts', () => ({ useConfig: () => ({ ...prerenderConfig, sign_up: 'open' }) }));
vi.mock('#/features/account/index.ts', () => ({ VerifyEmailScreen: screenOf('Verify your email') }));
vi.mock('#/features/auth/index.ts', () => ({
  SignInScreen: screenOf('Sign in'),
  SignUpScreen: screenOf('Sign up'),
  ForgotPasswordScreen: screenOf('Forgot password'),
  PasswordResetScreen: screenOf('Set a new password'),
  useUser: () => anaUser,
}));

const token = 't'.repeat(43);
const signedIn: SessionState = { status: 'signed-in', user: anaUser, confirmed: true };
const signedOut: SessionState = { status: 'signed-out', reason: 'initial' };

async function open(path: string, state: SessionState) {
  shown.props = {};
  window.scrollTo = () => undefined;
  const session = createSource<SessionState>(state);
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createAppRouter({ session, config: testConfig() }, { history });
  render(<RouterProvider router={router} />);
  await waitFor(() => expect(router.state.status).toBe('idle'));
  return { router, session };
}
const href = (router: Awaited<ReturnType<typeof open>>['router']) => router.state.location.href;

afterEach(() => void vi.restoreAllMocks());

describe('NAV-2 the pages for guests', () => {
  it.each([
    ['/sign-up', 'Sign up'],
    ['/forgot-password', 'Forgot password'],
    [`/password-reset/${token}?email=ana%40demo.test`, 'Set a new password'],
  ])('NAV-2 %s opens for a guest', async (path, title) => {
    const { router } = await open(path, signedOut);
    expect(await screen.findByText(title)).toBeTruthy();
    expect(href(router)).toBe(path);
  });

  it.each(['/sign-up', '/forgot-password', `/password-reset/${token}`, '/password-reset/short'])(
    'NAV-2 a signed-in person at %s is sent to the dashboard',
    async (path) => {
      expect(href((await open(path, signedIn)).router)).toBe('/dashboard');
    },
  );

  it('NAV-2 ACC-1 a signed-in person with an invitation takes it in the settings', async () => {
    const { router } = await open(`/sign-up?invitation=${token}`, signedIn);
    expect(href(router)).toBe(`/settings?invitation=${token}`);
    expect(shown.props['invitation']).toBe(token);
  });

  it('ACC-1 an invitation of the wrong form is handed on as text, for the page to say that it has no force', async () => {
    await open('/sign-up?invitation=5', signedOut);
    await screen.findByText('Sign up');
    expect(shown.props['token']).toBe('5');
  });

  it('ACC-1 who has an account already is led through sign-in to the same place', async () => {
    await open(`/sign-up?invitation=${token}`, signedOut);
    await screen.findByText('Sign up');
    expect(shown.props).toMatchObject({
      token,
      isOpen: true,
      signInHref: `/sign-in?redirect=${encodeURIComponent(`/settings?invitation=${token}`)}`,
    });
  });

  it('ACC-1 whom the back end signed in at once goes on to the invitation', async () => {
    const { router, session } = await open(`/sign-up?invitation=${token}`, signedOut);
    await screen.findByText('Sign up');
    session.set(signedIn);
    await act(async () => shown.props.onSignedIn?.());
    await waitFor(() => expect(href(router)).toBe(`/settings?invitation=${token}`));
  });
});

describe('NAV-2 the link to a new password', () => {
  it('NAV-2 hands over its secret and whom it was sent to', async () => {
    await open(`/password-reset/${token}?email=ana%40demo.test`, signedOut);
    await screen.findByText('Set a new password');
    expect(shown.props).toMatchObject({ token, email: 'ana@demo.test' });
  });

  it('NAV-2 then leads to sign-in, which says that it is set', async () => {
    const { router } = await open(`/password-reset/${token}`, signedOut);
    await screen.findByText('Set a new password');
    await act(async () => shown.props.onSet?.());
    expect(await screen.findByText('Sign in')).toBeTruthy();
    expect([href(router), shown.props['notice']]).toEqual(['/sign-in', 'password-set']);
  });

  it.each([
    ['too short', `/password-reset/${'x'.repeat(19)}`],
    ['too long', `/password-reset/${'x'.repeat(256)}`],
    ['of other characters', `/password-reset/${token}!?x=1`],
  ])('NAV-8 a secret of the wrong form is a page that does not exist: %s', async (_what, path) => {
    await open(path, signedOut);
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(`Page Not Found: ${path}`);
  });

  it.each([
    ['the shortest', 'x'.repeat(20)],
    ['the longest, of every character', 'a.~_-'.repeat(51)],
  ])('NAV-8 secrets of other back ends are let through: %s', async (_what, secret) => {
    await open(`/password-reset/${secret}`, signedOut);
    expect(await screen.findByText('Set a new password')).toBeTruthy();
  });
});

describe('NAV-6 the sign-in page after a mailed link', () => {
  it.each([
    ['/sign-in?verify=1', 'address-confirmed'],
    ['/sign-in?link=invalid', 'link-invalid'],
    ['/sign-in?verify=2&link=whatever', null],
    ['/sign-in', null],
  ])('NAV-6 %s says %s', async (path, notice) => {
    await open(path, signedOut);
    await screen.findByText('Sign in');
    expect(shown.props['notice']).toBe(notice);
  });

  it('NAV-6 a way back that the server answers is loaded, not routed; what is loaded is of this site', async () => {
    const assigned = vi.spyOn(window.location, 'replace').mockImplementation(() => undefined);
    const link = '/verify-email/0197/abc?expires=1&signature=s';
    const { router, session } = await open(`/sign-in?redirect=${encodeURIComponent(link)}`, signedOut);
    await screen.findByText('Sign in');
    session.set(signedIn);
    await act(async () => shown.props.onSignedIn?.());
    expect(assigned).toHaveBeenCalledWith(link);
    expect(router.state.location.pathname).toBe('/sign-in');
  });
});

describe('NAV-4 the pages of the own account', () => {
  it.each(['/settings', '/settings#devices', '/verify-email', `/settings?invitation=${token}`])(
    'NAV-4 NAV-6 %s asks somebody signed out to sign in first, and is the way back',
    async (path) => {
      const { router } = await open(path, signedOut);
      expect(router.state.location.pathname).toBe('/sign-in');
      expect(router.state.location.search).toEqual({ redirect: path });
    },
  );

  it('NAV-4 open for who is signed in', async () => {
    await open('/settings', signedIn);
    expect(await screen.findByText('Settings')).toBeTruthy();
    expect(shown.props['invitation']).toBeNull();
  });

  it.each([
    ['/verify-email', false],
    ['/verify-email?link=invalid', true],
  ])('NAV-4 %s: the link has no force %s', async (path, isLinkInvalid) => {
    await open(path, signedIn);
    await screen.findByText('Verify your email');
    expect(shown.props).toMatchObject({ user: anaUser, isLinkInvalid });
  });

  it('ACC-1 NAV-4 it says instead that the invitation went to somebody else meanwhile, and whom to ask', async () => {
    const { router } = await open('/dashboard?verified=1&invitation=lost', signedIn);
    const said = await screen.findByText(/someone else used the invitation first, or it was withdrawn/);
    expect(said.closest('[role=status]')?.textContent).toContain('Ask whoever sent it for a new one.');
    expect(screen.queryByText('Your address is verified.')).toBeNull();
    await waitFor(() => expect(href(router)).toBe('/dashboard'));
    await act(() => router.navigate({ to: '/settings' }));
    expect(screen.queryByText(/someone else used the invitation/)).toBeNull();
  });

  it('NAV-4 the dashboard says once that an address is verified, and the address forgets it', async () => {
    const { router } = await open('/dashboard?verified=1', signedIn);
    expect((await screen.findByRole('status')).textContent).toBe('Your address is verified.');
    await waitFor(() => expect(href(router)).toBe('/dashboard'));
    expect(screen.getByText('Your address is verified.')).toBeTruthy();
    await act(() => router.navigate({ to: '/settings' }));
    expect(screen.queryByText('Your address is verified.')).toBeNull();
    await act(() => router.navigate({ to: '/dashboard' }));
    expect(screen.queryByText('Your address is verified.')).toBeNull();
  });
});
