// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { createMemoryHistory, Outlet, RouterProvider } from '@tanstack/react-router';
import { act, render, screen, waitFor } from '@testing-library/react';
import { createSource } from '@wardline/client/observable.ts';
import type { SessionState } from '@wardline/client/session/session.ts';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { anaUser, edith, stBrigid } from '#/testing/fake-chats.ts';
import { createAppRouter } from './router.ts';

const drawn = vi.hoisted(() => vi.fn());
const broken = vi.hoisted(() => ({ thread: false, chats: false }));
vi.mock('#/app/signed-in-layout.tsx', () => ({
  SignedInLayout: () => {
    drawn();
    return <Outlet />;
  },
}));
vi.mock('#/app/dashboard-screen.tsx', () => ({ DashboardScreen: () => <h1>Dashboard</h1> }));
vi.mock('#/features/auth/index.ts', () => ({
  SignInScreen: ({ hasSessionEnded, onSignedIn }: { hasSessionEnded: boolean; onSignedIn: () => void }) => (
    <>
      <h1>Sign in</h1>
      {hasSessionEnded && <p>ended</p>}
      <button type="button" onClick={onSignedIn}>
        go
      </button>
    </>
  ),
  useUser: () => anaUser,
}));
vi.mock('#/features/facilities/index.ts', () => ({
  useFacilities: () => [stBrigid],
  useFacility: () => stBrigid,
  useCurrentFacility: () => stBrigid,
}));
vi.mock('#/features/chat/index.ts', () => ({
  ChatsScreen: () => {
    if (broken.chats) throw new Error('the list is missing');
    return <h1>Chats</h1>;
  },
  ChatFacilitiesScreen: () => <h1>Chat</h1>,
  ChatPanes: ({ list, thread }: { list: ReactNode; thread: ReactNode }) => (
    <>
      {list}
      {thread}
    </>
  ),
  ChatListPane: () => <p>the list</p>,
  EmptyThread: () => <h1>Choose a chat</h1>,
  ThreadPane: () => {
    if (broken.thread) throw new Error('head_seq is missing');
    return <h1>Thread</h1>;
  },
}));

const redirect = {
  on_login: '/dashboard',
  on_logout: '/sign-in',
  on_auth_only: '/sign-in',
  if_unauthenticated: true,
  on_guest_only: '/dashboard',
};
const signedIn: SessionState = { status: 'signed-in', user: anaUser, confirmed: true };
const signedOut: SessionState = { status: 'signed-out', reason: 'initial' };
const chatPath = `/chat/f-${stBrigid.id}/c-${edith.id}`;

async function open(path: string, state: SessionState) {
  drawn.mockClear();
  window.scrollTo = () => undefined;
  const session = createSource<SessionState>(state);
  const history = createMemoryHistory({ initialEntries: ['/403', path], initialIndex: 1 });
  const router = createAppRouter({ session, config: { redirect } }, history);
  render(<RouterProvider router={router} />);
  await waitFor(() => expect(router.state.status).toBe('idle'));
  return { router, session, history };
}

describe('guards', () => {
  it.each(['/sign-in', '/sign-in?redirect=//evil.example'])(
    'NAV-2 a signed-in person at %s is sent to the dashboard',
    async (path) => {
      const { router } = await open(path, signedIn);
      expect(router.state.location.href).toBe('/dashboard');
    },
  );

  it.each(['/chats', '/chat', '/dashboard', `/chat/f-${stBrigid.id}`, chatPath])(
    'NAV-3 NAV-7 a signed-out person does not get to %s, and nothing of it is drawn',
    async (path) => {
      const { router } = await open(path, signedOut);
      expect(router.state.location.pathname).toBe('/sign-in');
      expect(drawn).not.toHaveBeenCalled();
    },
  );

  it('NAV-3 a signed-in person gets to a chat', async () => {
    await open(chatPath, signedIn);
    expect(await screen.findByRole('heading', { name: 'Thread' })).toBeTruthy();
  });

  it('NAV-6 the whole path asked for is the way back, and the history has no trace of the guarded page', async () => {
    const { router, history } = await open(`${chatPath}?from=mail#m-7`, signedOut);
    expect(router.state.location.search).toEqual({ redirect: `${chatPath}?from=mail#m-7` });
    expect(history.length).toBe(2);
  });

  it('NAV-6 after signing in one is where one wanted to be', async () => {
    const { router, session } = await open('/chats?x=1', signedOut);
    session.set(signedIn);
    (await screen.findByRole('button', { name: 'go' })).click();
    await waitFor(() => expect(router.state.location.href).toBe('/chats?x=1'));
  });

  it('NAV-6 ACC-7 when the session ends the page is left, with the reason and the way back', async () => {
    const { router, session } = await open('/chats', signedIn);
    await act(async () => session.set({ status: 'signed-out', reason: 'expired' }));
    await waitFor(() => expect(router.state.location.href).toBe('/sign-in?redirect=%2Fchats'));
    expect(await screen.findByText('ended')).toBeTruthy();
  });

  it('NAV-6 somebody who never was signed in is told of no ended session', async () => {
    await open('/chats', signedOut);
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy();
    expect(screen.queryByText('ended')).toBeNull();
  });

  it('the start page leads to the dashboard or to sign-in', async () => {
    expect((await open('/', signedIn)).router.state.location.href).toBe('/dashboard');
    expect((await open('/', signedOut)).router.state.location.href).toBe('/sign-in');
  });
});

describe('NAV-8 pages that do not exist', () => {
  it.each(['/nope', '/nope/deeper?x=1&y=2#z', `${chatPath}/zzz`, '/Chats'])(
    'an unknown path says so: %s',
    async (path) => {
      const { router } = await open(path, signedIn);
      expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(`Page not found: ${path}`);
      expect(router.state.location.href).toBe(path);
    },
  );

  it.each([
    '/chat/f-7',
    '/chat/f-',
    `/chat/f-${stBrigid.id}/c-9?x=1#h`,
    `/chat/f-7/c-${edith.id}`,
    `/chat/f-${stBrigid.id.toUpperCase()}`,
  ])('an id of the wrong form says so with capitals: %s', async (path) => {
    await open(path, signedIn);
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(`Page Not Found: ${path}`);
  });

  it('NAV-6 a wrong id tells a signed-out person nothing', async () => {
    const { router } = await open('/chat/f-7', signedOut);
    expect(router.state.location.pathname).toBe('/sign-in');
  });

  it('NAV-1 the page of what is forbidden has no guard', async () => {
    await open('/403', signedOut);
    expect(await screen.findByRole('heading', { name: 'This page is not yours to open' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to home' }).getAttribute('href')).toBe('/');
  });
});

describe('titles', () => {
  it('SHELL-1 a page is named before the product', async () => {
    await open('/chats', signedIn);
    await waitFor(() => expect(document.title).toBe('Chats - Wardline'));
  });
});

function expectErrors() {
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
}

describe('SHELL-4 what breaks', () => {
  afterEach(() => {
    broken.thread = false;
    broken.chats = false;
    vi.restoreAllMocks();
  });

  it('a page that breaks is replaced by the error page, which leaves with the next navigation', async () => {
    expectErrors();
    broken.chats = true;
    const { router } = await open('/chats', signedIn);
    expect(await screen.findByRole('heading', { name: 'Oops! An error occurred.' })).toBeTruthy();
    expect(screen.getByText('the list is missing')).toBeTruthy();
    expect(document.title).toBe('Error | Wardline');
    await act(() => router.navigate({ to: '/dashboard' }));
    expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeTruthy();
  });

  it('a thread that breaks leaves the list alive and can be tried again', async () => {
    expectErrors();
    broken.thread = true;
    await open(chatPath, signedIn);
    expect((await screen.findByRole('alert')).textContent).toContain('head_seq is missing');
    expect(screen.getByText('the list')).toBeTruthy();
    broken.thread = false;
    await act(async () => screen.getByRole('button', { name: 'Retry' }).click());
    expect(await screen.findByRole('heading', { name: 'Thread' })).toBeTruthy();
  });
});
