import { createSource } from '@wardline/client/observable.ts';
import type { ConnectionState } from '@wardline/client/realtime/realtime.ts';
import { expect, it, vi } from 'vitest';
import { askWhenRefused } from './live-services.ts';

function world() {
  const connection = createSource<ConnectionState>('connected');
  const session = { refresh: vi.fn(async () => undefined) };
  const stop = askWhenRefused({ connection }, session);
  return { connection, session, stop };
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
