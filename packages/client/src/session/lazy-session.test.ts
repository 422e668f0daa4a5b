import { expect, test, vi } from 'vitest';
import { createSource } from '#/observable.ts';
import { createSilentLog } from '#/testing/silent-log.ts';
import { createLazySession } from './lazy-session.ts';
import type { Session } from './session.ts';
import type { SessionState } from './session-state.ts';

function setUp({ hasHint }: { readonly hasHint: boolean }) {
  const state = createSource<SessionState>({ status: 'unknown' });
  const done: string[] = [];
  const record = (line: string) => async () => void done.push(line);
  const session: Session = {
    ...{ get: state.get, subscribe: state.subscribe, store: () => null },
    ...{ load: record('load'), signOut: record('sign-out'), refresh: record('refresh') },
    signIn: async (email) => void done.push(`sign-in ${email}`),
  };
  const create = vi.fn<() => Promise<Session>>(async () => session);
  const log = createSilentLog();
  const lazy = createLazySession({ create, hasHint: () => hasHint, log });
  return { state, done, create, log, lazy };
}

const signedOut = (reason: 'initial' | 'unreachable') => ({ status: 'signed-out', reason });

test('F-C6 where nothing says that somebody is signed in, nobody is at once, and the session comes behind the page', async () => {
  const { done, lazy } = setUp({ hasHint: false });
  const loaded = lazy.load();
  expect(lazy.get()).toEqual(signedOut('initial'));
  await loaded;
  await vi.waitFor(() => expect(done).toEqual(['load']));
  await lazy.signIn('a@b', 'p', { ownDevice: false });
  expect(done).toEqual(['load', 'sign-in a@b']);
});

test('F-C6 where somebody may be signed in, loading waits for the session, whose state is shown', async () => {
  const { state, done, create, lazy } = setUp({ hasHint: true });
  const heard = vi.fn();
  lazy.subscribe(heard);
  const loaded = Promise.all([lazy.load(), lazy.load()]);
  expect(lazy.get()).toEqual({ status: 'unknown' });
  await loaded;
  expect([done, create.mock.calls.length]).toEqual([['load'], 1]);
  state.set({ status: 'signed-out', reason: 'expired' });
  expect(lazy.get()).toEqual({ status: 'signed-out', reason: 'expired' });
  expect(heard).toHaveBeenCalledTimes(1);
});

test('F-C6 a session whose code does not come leaves the page signed out, and is tried again', async () => {
  const { done, create, log, lazy } = setUp({ hasHint: true });
  create.mockRejectedValueOnce(new Error('no such file'));
  await lazy.load();
  expect(lazy.get()).toEqual(signedOut('unreachable'));
  expect(log.lines.map(({ line }) => line)).toEqual(['The code of the session could not be loaded']);
  await lazy.refresh();
  expect(done).toEqual(['refresh']);
});
