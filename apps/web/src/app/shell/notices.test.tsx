// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, screen } from '@testing-library/react';
import { createSource } from '@wardline/client/observable.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFakeChatRuntime } from '#/features/chat/testing/fake-chat-runtime.tsx';
import { FacilitiesProvider } from '#/features/facilities/index.ts';
import { type Device, DeviceContext } from '#/shared/contexts/device-context.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { anaUser } from '#/testing/fake-chats.ts';
import { Notices } from './notices.tsx';

const chats = createFakeChatRuntime();
beforeEach(() => {
  vi.useFakeTimers();
  chats.reset();
});
afterEach(() => vi.useRealTimers());

function open(state: Parameters<typeof chats.setConnection>[0]['state'], isOnline = true) {
  chats.setConnection({ state, isOnline });
  const count = createSource({ waiting: 0, failed: 0, isDurable: true, oldestWaitingAt: null, kinds: [] });
  const device = { store: createMemoryStore(anaUser.id), outbox: { count } as unknown as Device['outbox'] };
  createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true }).draw(<Notices />, (page) =>
    chats.around(
      <FacilitiesProvider memberships={anaUser.memberships}>
        <DeviceContext value={device}>{page}</DeviceContext>
      </FacilitiesProvider>,
    ),
  );
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const said = () => screen.queryAllByRole('status').map(({ textContent }) => textContent);

it.each([
  ['connecting', 'Connecting. What you send now is kept.'],
  ['unavailable', 'Reconnecting. What you send now is kept.'],
] as const)('PWA-5 a page without a server says so once it has lasted: %s', async (state, sentence) => {
  open(state);
  await pass(3000);
  expect(said()).toEqual([]);
  await pass(2000);
  expect(said()).toEqual([sentence]);
  act(() => chats.setConnection({ state: 'connected', isOnline: true }));
  expect(said()).toEqual([]);
});

it('PWA-5 without a network it says so at once', async () => {
  open('connecting', false);
  expect(said()[0]).toContain('Offline.');
});
