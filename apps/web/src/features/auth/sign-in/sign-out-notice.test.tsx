// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createSource } from '@wardline/client/observable.ts';
import type { Session, SessionState } from '@wardline/client/session/session.ts';
import { expect, it, vi } from 'vitest';
import { SessionProvider } from '../core/session-context.tsx';
import { SignInScreen } from './sign-in-screen.tsx';

function setUp(reason: 'signed-out' | 'not-ended') {
  const state = createSource<SessionState>({ status: 'signed-out', reason });
  const refresh = vi.fn(async () => undefined);
  const nothing = async () => undefined;
  const session: Session = {
    ...{ get: state.get, subscribe: state.subscribe, store: () => null },
    ...{ load: nothing, signIn: nothing, signOut: nothing, refresh },
  };
  render(
    <SessionProvider session={session}>
      <SignInScreen notice={null} canSignUp={false} hasPasskeys={false} onSignedIn={() => undefined} />
    </SessionProvider>,
  );
  return { state, refresh };
}

it('F-L1 the sign-in page says that the server has not ended the session, tries again, and says when it has', async () => {
  const { state, refresh } = setUp('not-ended');
  expect(screen.getByRole('alert').textContent).toContain('You are not signed out yet.');
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(refresh).toHaveBeenCalledTimes(1));
  act(() => state.set({ status: 'signed-out', reason: 'signed-out' }));
  expect(screen.queryByText('You are not signed out yet.')).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('You are signed out.');
});

it('F-L1 a sign-out that the server took needs no words', () => {
  setUp('signed-out');
  expect([screen.queryByRole('alert'), screen.queryByRole('status')]).toEqual([null, null]);
});
