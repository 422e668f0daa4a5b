// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, screen } from '@testing-library/react';
import { createSource } from '@wardline/client/observable.ts';
import type { SharedOutbox, UnsentCount } from '@wardline/client/outbox/shared-outbox.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeChatRuntime } from '#/features/chat/testing/fake-chat-runtime.tsx';
import { FacilitiesProvider } from '#/features/facilities/index.ts';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, anaUser, fakeList } from '#/testing/fake-chats.ts';
import { Notices } from './notices.tsx';

const chats = createFakeChatRuntime();
type Connection = Parameters<typeof chats.setConnection>[0];
beforeEach(() => {
  vi.useFakeTimers();
  chats.reset();
});
afterEach(() => vi.useRealTimers());

/** A page that was just loaded, of a person whom the server confirmed or for whom only this device vouches. */
function drawNotices(confirmed: boolean, connection: Partial<Connection> = {}) {
  const nothing: UnsentCount = { waiting: 0, failed: 0, overdue: 0, oldestWaitingAt: null, kinds: [], isDurable: true };
  const outbox = { count: createSource(nothing) } as unknown as SharedOutbox;
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed });
  chats.setConnection({ state: 'connecting', isOnline: true, ...connection });
  app.draw(<Notices />, (page) => (
    <DeviceContext value={{ store: createMemoryStore(ana.id), outbox }}>
      <FacilitiesProvider memberships={anaUser.memberships}>{chats.around(page)}</FacilitiesProvider>
    </DeviceContext>
  ));
  return app;
}
const UNREACHED = 'Can’t reach the server. What you write is kept and will send once it can be reached.';
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
    expect(said()).toEqual(['Offline. What you write is kept and will send when you’re back online.']);
  });

  it.each([
    ['connecting', 'Connecting. What you send now is kept.'],
    ['unavailable', 'Reconnecting. What you send now is kept.'],
  ] as const)('PWA-5 say that nothing comes live yet once that has lasted: %s', async (state, sentence) => {
    drawNotices(true, { state });
    await pass(3000);
    expect(said()).toEqual([]);
    await pass(2000);
    expect(said()).toEqual([sentence]);
    act(() => chats.setConnection({ state: 'connected', isOnline: true }));
    expect(said()).toEqual([]);
  });
});
