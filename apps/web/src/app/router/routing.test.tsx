// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { createMemoryHistory, Outlet, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { ApiError } from '@wardline/client/http/api-error.ts';
import { createSource } from '@wardline/client/observable.ts';
import type { SessionState } from '@wardline/client/session/session.ts';
import { PERMISSIONS } from '@wardline/contract/permissions.ts';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { prerenderConfig } from '#/app/services/prerender-config.ts';
import { anaUser, edith, stBrigid } from '#/testing/fake-chats.ts';
import { createAppRouter } from './router.tsx';

const drawn = vi.hoisted(() => vi.fn());
const broken = vi.hoisted(() => ({ chat: false, chats: false }));
const allowed = vi.hoisted(() => ({ facility: null as unknown }));
const systemPage = vi.hoisted(() => ({ loaded: false }));
vi.mock('#/app/shell/system-page.tsx', () => {
  systemPage.loaded = true;
  return { SystemPage: () => <h1>The system administration</h1> };
});
vi.mock('#/app/shell/signed-in-layout.tsx', () => ({
  SignedInLayout: () => {
    drawn();
    return <Outlet />;
  },
}));
/** Who the page of what is forbidden takes somebody for. */
const shown = vi.hoisted(() => ({ session: { status: 'unknown' } as SessionState }));
vi.mock('#/app/services/use-config.ts', () => ({ useConfig: () => prerenderConfig }));
vi.mock('#/app/shell/dashboard-screen.tsx', () => ({ DashboardScreen: () => <h1>Dashboard</h1> }));
vi.mock('#/features/auth/index.ts', () => ({
  SignInScreen: ({ notice, onSignedIn }: { notice: string | null; onSignedIn: () => void }) => (
    <>
      <h1>Sign in</h1>
      {notice === 'session-ended' && <p>ended</p>}
      <button type="button" onClick={onSignedIn}>
        go
      </button>
    </>
  ),
  useUser: () => anaUser,
  useSessionState: () => shown.session,
  SignUpScreen: () => <h1>Sign up</h1>,
}));
vi.mock('#/features/public/index.ts', () => ({
  PublicLayout: ({ children }: { children: ReactNode }) => children,
  LandingScreen: () => <h1>Start</h1>,
  AboutScreen: () => <h1>About</h1>,
  ContactsScreen: () => <h1>Contacts</h1>,
  loadContent: async () => ({}),
}));
vi.mock(import('#/features/examinations/core/use-examination.ts'), async (importOriginal) => ({
  ...(await importOriginal()),
  useExamination: () => ({ error: new ApiError('Not found.', { status: 404, code: 'not_found' }) }) as never,
  useExaminationChanges: () => undefined,
}));
vi.mock(import('#/features/examinations/entering/kept-typed.ts'), async (importOriginal) => ({
  ...(await importOriginal()),
  useTypedInto: () => ({ data: null }) as never,
}));
vi.mock(import('#/features/examinations/moving/use-waiting-moves.ts'), async (importOriginal) => ({
  ...(await importOriginal()),
  useBeginning: () => null,
  useMoveItems: () => ({ waiting: [], refused: [] }),
}));
vi.mock('#/shared/contexts/call-context.ts', () => ({ useCall: () => null }));
vi.mock('#/features/facilities/index.ts', () => ({
  useFacilities: () => [allowed.facility],
  useFacility: () => allowed.facility,
  useCurrentFacility: () => allowed.facility,
}));
vi.mock('#/features/census/index.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('#/features/census/index.ts')>();
  const screenOf = (title: string) => () => <h1>{title}</h1>;
  return {
    ...original,
    CensusBoardScreen: screenOf('Census'),
    CensusUnitScreen: screenOf('Unit report'),
    CensusSummaryScreen: screenOf('Census summary'),
    CensusLogsScreen: screenOf('Census logs'),
  };
});
vi.mock(import('#/features/chat/index.ts'), async (importOriginal) => ({
  BrokenChat: (await importOriginal()).BrokenChat,
  ChatsScreen: () => {
    if (broken.chats) throw new Error('the list is missing');
    return <h1>Chats</h1>;
  },
  ChatFacilitiesScreen: () => <h1>Chat</h1>,
  ChatPanes: ({ list, chat, detail }: { list: ReactNode; chat: ReactNode; detail?: ReactNode }) => (
    <>
      {list}
      {chat}
      {detail}
    </>
  ),
  ChatListPane: () => <p>the list</p>,
  NoChatOpen: () => <h1>Choose a chat</h1>,
  usePatientOf: () => null,
  ChatPane: () => {
    if (broken.chat) throw new Error('head_seq is missing');
    return <h1>Chat</h1>;
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
const unknown: SessionState = { status: 'unknown' };
const chatPath = `/chat/f-${stBrigid.id}/c-${edith.id}`;

/** The same person with these permissions at St. Brigid. */
function withPermissions(...permissions: string[]): SessionState {
  const [membership] = anaUser.memberships;
  if (!membership) throw new Error('Ana belongs to a facility.');
  allowed.facility = { ...stBrigid, permissions };
  return { status: 'signed-in', confirmed: true, user: { ...anaUser, memberships: [{ ...membership, permissions }] } };
}

async function open(path: string, state: SessionState) {
  drawn.mockClear();
  window.scrollTo = () => undefined;
  const session = createSource<SessionState>(state);
  const history = createMemoryHistory({ initialEntries: ['/403', path], initialIndex: 1 });
  const router = createAppRouter({ session, config: { redirect } }, { history });
  render(<RouterProvider router={router} />);
  await waitFor(() => expect(router.state.status).toBe('idle'));
  return { router, session, history };
}

beforeEach(() => {
  allowed.facility = stBrigid;
});

describe('NAV-5 the census', () => {
  const pages = [
    ['/census', 'census.view', 'Census'],
    ['/census-unit', 'census.report_units', 'Unit report'],
    ['/census-summary', 'census.report_summary', 'Census summary'],
    ['/census-logs', 'census.logs', 'Census logs'],
  ] as const;

  it.each(pages)('NAV-5 %s opens with %s alone', async (path, permission, heading) => {
    const { router } = await open(path, withPermissions(permission));
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(heading);
    expect(router.state.location.pathname).toBe(path);
  });

  it.each(pages)(
    'NAV-5 %s without %s leads to /403, with every other permission there is',
    async (path, permission) => {
      const others = PERMISSIONS.filter((name) => name !== permission);
      const { router } = await open(path, withPermissions(...others));
      expect(router.state.location.pathname).toBe('/403');
      expect(await screen.findByRole('heading', { name: 'You don’t have access to this page' })).toBeTruthy();
    },
  );

  it.each(pages)('NAV-5 NAV-6 %s asks somebody signed out to sign in first', async (path) => {
    const { router } = await open(`${path}?day=2026-11-20`, signedOut);
    expect(router.state.location.pathname).toBe('/sign-in');
    expect(router.state.location.search).toEqual({ redirect: `${path}?day=2026-11-20` });
  });

  it('NAV-5 ACC-7 a permission that ended while the page was open leads to /403', async () => {
    const { router, session } = await open('/census', withPermissions('census.view'));
    expect(router.state.location.pathname).toBe('/census');
    await act(async () => session.set(withPermissions('census.logs')));
    await waitFor(() => expect(router.state.location.pathname).toBe('/403'));
  });
});

it('ADM-2 whose facilities were all closed stays at the page, where the layout says so, and has it again once one is open', async () => {
  const { router, session } = await open('/census', withPermissions('census.view'));
  const user = { ...anaUser, memberships: [], closed_facilities: [stBrigid.name] };
  await act(async () => session.set({ status: 'signed-in', confirmed: true, user }));
  await waitFor(() => expect(router.state.status).toBe('idle'));
  expect(router.state.location.pathname).toBe('/census');
  await act(async () =>
    session.set({ status: 'signed-in', confirmed: true, user: { ...user, closed_facilities: [] } }),
  );
  await act(async () => session.set(withPermissions('census.logs')));
  await waitFor(() => expect(router.state.location.pathname).toBe('/403'));
});

describe('PERM-4 the system administration', () => {
  it('PERM-4 is led to /403 for everybody else, whatever they may at their facility, and asks for none of its code', async () => {
    const { router } = await open('/settings/system?part=accounts', withPermissions(...PERMISSIONS));
    expect(router.state.location.pathname).toBe('/403');
    expect(await screen.findByRole('heading', { name: 'You don’t have access to this page' })).toBeTruthy();
    expect(systemPage.loaded).toBe(false);
  });

  it('PERM-4 opens for a system administrator at the part that its address names', async () => {
    const { router } = await open('/settings/system?part=jobs', {
      ...{ status: 'signed-in', confirmed: true },
      user: { ...anaUser, is_operator: true },
    });
    expect(await screen.findByRole('heading', { level: 1, name: 'The system administration' })).toBeTruthy();
    expect(router.state.location.search).toEqual({ part: 'jobs' });
  });
});

describe('NAV-3 an examination beside its chat', () => {
  const examination = '01970000-0000-7000-8000-0000000000e1';

  it('NAV-3 one that is not there says the same as one that is not mine, and the chat stays', async () => {
    await open(`${chatPath}/e-${examination}`, signedIn);
    expect(await screen.findByRole('heading', { name: 'You don’t have access to this examination' })).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Chat' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Close' }).getAttribute('href')).toBe(chatPath);
  });

  it('NAV-3 NAV-6 asks somebody signed out to sign in first', async () => {
    const { router } = await open(`${chatPath}/e-${examination}`, signedOut);
    expect(router.state.location.search).toEqual({ redirect: `${chatPath}/e-${examination}` });
  });

  it('NAV-8 an id of the wrong form is a page that does not exist', async () => {
    await open(`${chatPath}/e-9?x=1`, signedIn);
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(`Page Not Found: ${chatPath}/e-9?x=1`);
  });
});

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
    expect(await screen.findByRole('heading', { name: 'Chat' })).toBeTruthy();
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

  it.each([
    ['/', 'Start'],
    ['/about', 'About'],
    ['/contacts', 'Contacts'],
  ])('NAV-1 %s is open to everybody and leads nobody away', async (path, heading) => {
    for (const state of [signedIn, signedOut, unknown]) {
      const { router } = await open(path, state);
      expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(heading);
      expect(router.state.location.href).toBe(path);
      cleanup();
    }
  });

  it('NAV-2 a session that is found after a page for guests was opened leads away from it', async () => {
    const { router, session } = await open('/sign-up', unknown);
    expect(router.state.location.href).toBe('/sign-up');
    await act(async () => session.set(signedIn));
    await waitFor(() => expect(router.state.location.href).toBe('/dashboard'));
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

  it('F-C5 SHELL-4 has the title and the way home of the error page', async () => {
    await open('/nope', signedIn);
    expect((await screen.findByRole('link', { name: 'Go to homepage' })).getAttribute('href')).toBe('/');
    expect(document.title).toBe('Error | Wardline');
  });

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
    expect(await screen.findByRole('heading', { name: 'You don’t have access to this page' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Go to homepage' }).getAttribute('href')).toBe('/');
  });

  it('NAV-1 the page of what is forbidden leads who is signed in to their start page', async () => {
    shown.session = signedIn;
    await open('/403', signedIn);
    shown.session = unknown;
    expect((await screen.findByRole('link', { name: 'Go to the dashboard' })).getAttribute('href')).toBe('/dashboard');
    expect(screen.queryByRole('link', { name: 'Go to homepage' })).toBeNull();
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
    broken.chat = false;
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

  it('F-C4 SHELL-4 a crawler is shown no error page where a page breaks: it is only logged', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (compatible; Googlebot/2.1)');
    broken.chats = true;
    await open('/chats', signedIn);
    await waitFor(() => expect(String(logged.mock.calls)).toContain('the list is missing'));
    expect(screen.queryByRole('heading', { name: 'Oops! An error occurred.' })).toBeNull();
    expect(document.title).not.toContain('Error');
  });

  it('a chat that breaks leaves the list alive and can be tried again', async () => {
    expectErrors();
    broken.chat = true;
    await open(chatPath, signedIn);
    expect((await screen.findByRole('alert')).textContent).toContain('head_seq is missing');
    expect(screen.getByText('the list')).toBeTruthy();
    broken.chat = false;
    await act(async () => screen.getByRole('button', { name: 'Retry' }).click());
    expect(await screen.findByRole('heading', { name: 'Chat' })).toBeTruthy();
  });
});
