// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, screen } from '@testing-library/react';
import { createSource } from '@wardline/client/observable.ts';
import type { SharedOutbox, UnsentCount } from '@wardline/client/outbox/shared-outbox.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeChatRuntime } from '#/features/chat/testing/fake-chat-runtime.tsx';
import { FacilitiesProvider } from '#/features/facilities/index.ts';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, anaUser, fakeList } from '#/testing/fake-chats.ts';
import { Notices } from './notices.tsx';

const chats = createFakeChatRuntime();
type Connection = Parameters<typeof chats.setConnection>[0];
// What comes later is there at once, whatever the clock says.
beforeAll(() => import('#/app/unsent/unsent-notices.tsx'));
beforeEach(() => {
  vi.useFakeTimers();
  chats.reset();
});
afterEach(() => vi.useRealTimers());

/** A page that was just loaded, of a person whom the server confirmed or for whom only this device vouches. */
function drawNotices(confirmed: boolean, connection: Partial<Connection> = {}, unsent: Partial<UnsentCount> = {}) {
  const nothing: UnsentCount = { waiting: 0, failed: 0, overdue: 0, oldestWaitingAt: null, kinds: [], isDurable: true };
  const outbox = { count: createSource({ ...nothing, ...unsent }) } as unknown as SharedOutbox;
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed });
  chats.setConnection({ state: 'connecting', isOnline: true, ...connection });
  app.draw(<Notices />, (page) => (
    <DeviceContext value={{ store: createMemoryStore(ana.id), outbox }}>
      <FacilitiesProvider memberships={anaUser.memberships}>{chats.around(page)}</FacilitiesProvider>
    </DeviceContext>
  ));
  return app;
}
const UNREACHED =
  'Can’t reach the server. Messages and reports you write are kept and will send once it can be reached.';
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const said = () => screen.queryAllByRole('status').map((line) => line.textContent);

describe('the lines over a page that was just loaded', () => {
  it('PWA-5 say at once that the server did not answer when it was asked who is here', () => {
    const app = drawNotices(false);
    expect(said()).toEqual([UNREACHED]);
    act(() => chats.setConnection({ state: 'connected', isOnline: true }));
    expect(said()).toEqual([]);
    act(() => {
      chats.setConnection({ state: 'connecting', isOnline: true });
      app.setSession({ status: 'signed-in', user: anaUser, confirmed: true });
    });
    expect(said()).toEqual([]);
  });

  it('PWA-5 say at once that the chats could not be asked for', () => {
    drawNotices(true);
    expect(said()).toEqual([]);
    act(() => chats.setChats({ ...fakeList(), error: 'The server could not be reached.' }));
    expect(said()).toEqual([UNREACHED]);
  });

  it('PWA-5 say that there is no network rather than that the server is away', () => {
    drawNotices(false, { isOnline: false });
    expect(said()).toEqual(['Offline. Messages and reports you write are kept and will send when you’re back online.']);
  });

  const kept = 'Messages and reports you write are kept and will send once that is done.';

  it.each([
    ['connecting', 9, `Connecting. ${kept}`],
    ['unavailable', 3, `Reconnecting. ${kept}`],
  ] as const)(
    'PWA-5 F-U8 say that nothing comes live yet once that has lasted: %s, %i s',
    async (state, s, sentence) => {
      drawNotices(true, { state });
      await pass(s * 1000);
      expect(said()).toEqual([]);
      await pass(2000);
      expect(said()).toEqual([sentence]);
      act(() => chats.setConnection({ state: 'connected', isOnline: true }));
      expect(said()).toEqual([]);
    },
  );

  it('PWA-5 say sooner that a connection was lost than that the first one takes long', async () => {
    drawNotices(true, { state: 'connected' });
    await pass(5000);
    act(() => chats.setConnection({ state: 'connecting', isOnline: true }));
    await pass(3000);
    expect(said()).toEqual([]);
    await pass(2000);
    expect(said()).toEqual([`Connecting. ${kept}`]);
  });

  it.each([
    [{ isOnline: false }, /^Offline\. 2 messages will send when you’re back online\./],
    [{ state: 'connecting' }, /^Connecting\. 2 messages will send once that is done\./],
    [{ state: 'unavailable' }, /^Reconnecting\. 2 messages will send once that is done\./],
    [{ state: 'failed' }, /2 messages wait to be sent\./],
  ] as const)(
    'PWA-5 CHAT-24 say what waits, since when, and lead to it, whatever is away: %o',
    async (connection, sentence) => {
      const oldestWaitingAt = new Date(Date.now() - 12 * 60_000).toISOString();
      drawNotices(true, connection, { waiting: 2, kinds: ['message'], oldestWaitingAt });
      await pass(11_000);
      expect(said().join()).toMatch(sentence);
      if (connection !== undefined && !('state' in connection && connection.state === 'failed'))
        expect(said().join()).toContain('The oldest was written 12 min ago.');
      expect(screen.getByRole('button', { name: 'Show unsent' })).toBeTruthy();
    },
  );

  it('PWA-5 CHAT-24 say what waits where the server could not be reached', async () => {
    drawNotices(false, {}, { waiting: 1, kinds: ['message'], oldestWaitingAt: new Date().toISOString() });
    expect(said().join()).toContain('Can’t reach the server. 1 message will send once it can be reached.');
    await pass(2 * 3_600_000);
    expect(said().join()).toContain('once it can be reached. Written 2 h ago.');
    expect(screen.getByRole('button', { name: 'Show unsent' })).toBeTruthy();
  });
});
