import { createSource } from '@wardline/client/observable.ts';
import type { ConnectionState } from '@wardline/client/realtime/realtime.ts';
import type { SessionState } from '@wardline/client/session/session-state.ts';
import type { User } from '@wardline/contract/account/auth.ts';
import { afterEach, expect, it, vi } from 'vitest';
import { askWhenRefused } from './live-services.ts';

afterEach(() => void vi.useRealTimers());

function world(first: ConnectionState = 'connected') {
  const connection = createSource<ConnectionState>(first);
  let state: SessionState = { status: 'signed-in', confirmed: true, user: {} as User };
  const session = { refresh: vi.fn(async () => undefined), get: () => state };
  const wake = vi.fn();
  const stop = askWhenRefused({ connection, wake }, session);
  const end = () => {
    state = { status: 'signed-out', reason: 'expired' };
  };
  return { connection, session, wake, stop, end };
}

it('ACC-7 a socket that the server refuses for good makes the page ask who is signed in', async () => {
  const { connection, session } = world();
  connection.set('disconnected');
  await Promise.resolve();
  expect(session.refresh).toHaveBeenCalledTimes(1);
});

it('ACC-7 a socket that is lost or made anew is no reason to ask', async () => {
  const { connection, session } = world();
  connection.set('unavailable');
  connection.set('disconnected');
  connection.set('connecting');
  await Promise.resolve();
  expect(session.refresh).not.toHaveBeenCalled();
});

it('ACC-7 nothing is asked once the signed-in pages are left', async () => {
  const { connection, session, stop } = world();
  stop();
  connection.set('disconnected');
  await Promise.resolve();
  expect(session.refresh).not.toHaveBeenCalled();
});

it('F-S2 a socket that was closed before anybody was shown on it is opened again while somebody is signed in', async () => {
  vi.useFakeTimers();
  const { connection, wake } = world();
  connection.set('disconnected');
  await vi.advanceTimersByTimeAsync(4_900);
  expect(wake).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(5_200);
  expect(wake).toHaveBeenCalledTimes(1);
});

it('F-S2 a socket whose session has ended, one that was refused at once, and one that came back are left alone', async () => {
  vi.useFakeTimers();
  const ended = world();
  ended.end();
  ended.connection.set('disconnected');
  const refused = world('connecting');
  refused.connection.set('disconnected');
  const back = world();
  back.connection.set('disconnected');
  await vi.advanceTimersByTimeAsync(1_000);
  back.connection.set('connected');
  await vi.advanceTimersByTimeAsync(60_000);
  for (const { wake } of [ended, refused, back]) expect(wake).not.toHaveBeenCalled();
});
