// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { transportError } from '@wardline/client/http/api-error.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import type { ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { ChatView } from '#/features/chat/core/chat-view.ts';
import { createFakeChatRuntime } from '#/features/chat/testing/fake-chat-runtime.tsx';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { pageToasts } from '#/shared/contexts/show-toast.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, edith, fakeChatView, harbour, noUploads, stBrigid } from '#/testing/fake-chats.ts';
import { ChatStates } from './chat-pane.tsx';
import type { LinkedMessage } from './use-shown.ts';

const chats = createFakeChatRuntime();
const device = { store: createMemoryStore(ana.id), outbox: null as never };
const around = (page: ReactNode) => <DeviceContext value={device}>{chats.around(page)}</DeviceContext>;

const show = (chatView: Partial<ChatView>, facility = stBrigid) =>
  createFakeApp().draw(
    <ChatStates
      uploads={noUploads}
      chatView={fakeChatView(chatView)}
      facility={facility}
      me={ana}
      drawAct={() => null}
    />,
    around,
  );

// First: once it has loaded it is there for good.
it('CHAT-5 F-U8 where what notes that messages are read does not load, that is said', async () => {
  vi.doMock('./read-watch.ts', () => {
    throw new Error('404');
  });
  show({});
  const said = () => (pageToasts.get()?.get() ?? []).map(({ title }) => title);
  await waitFor(() => expect(said()).toEqual(['This part did not load']));
  vi.doUnmock('./read-watch.ts');
  pageToasts.get()?.clear();
});

it('a chat that loads shows its shape', () => {
  show({ status: 'loading', chat: null, items: [] });
  expect(screen.getByRole('status', { name: 'Loading messages' })).toBeTruthy();
});

it('a chat that failed says why and tries again', () => {
  const retry = vi.fn();
  show({ status: 'failed', chat: null, items: [], error: 'The server did not answer in 15 s.', retry });
  expect(screen.getByRole('alert').textContent).toContain('The server did not answer in 15 s.');
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(retry).toHaveBeenCalledTimes(1);
});

it.each([
  ['a chat that is not there', { status: 'not-found', chat: null } as const, stBrigid],
  ['a chat under the address of another facility', { chat: edith } as const, harbour],
])('CHAT-6 %s says no more than that', async (_what, chatView, facility) => {
  show(chatView, facility);
  expect(await screen.findByText('You don’t have access to this chat')).toBeTruthy();
  expect(screen.queryByText('Edith Maron')).toBeNull();
});

it('CHAT-10 the head of an open chat names the patient, and the composer is there', () => {
  show({ typing: [] });
  expect(screen.getByRole('heading', { name: 'Edith Maron' })).toBeTruthy();
  expect(screen.getByText(/^MRN 40-118-236 · born/)).toBeTruthy();
  expect(screen.getByRole('img', { name: 'Bed 3A-12' })).toBeTruthy();
  expect(screen.getByRole('button', { name: '6 people in this chat' })).toBeTruthy();
  expect(screen.getByPlaceholderText('Type your message here…')).toBeTruthy();
  expect(document.title).toBe('Edith Maron - Wardline');
});

describe('CHAT-11 an address that names a message', () => {
  const draw = (chatView: Partial<ChatView>, linked: LinkedMessage) => {
    const app = createFakeApp();
    const states = (change: Partial<ChatView>, to: LinkedMessage) => (
      <ChatStates
        uploads={noUploads}
        chatView={fakeChatView(change)}
        facility={stBrigid}
        me={ana}
        drawAct={() => null}
        linked={to}
      />
    );
    const { rerender } = app.draw(states(chatView, linked), around);
    return (change: Partial<ChatView>, to: LinkedMessage) => rerender(states(change, to));
  };

  it('leads to it once in a visit, as soon as there are messages', async () => {
    const show = vi.fn(async () => undefined);
    const again = draw({ show, status: 'loading' }, { seq: 33, visit: 'a' });
    expect(show).not.toHaveBeenCalled();
    again({ show }, { seq: 33, visit: 'a' });
    expect(show).toHaveBeenCalledExactlyOnceWith(33);
    again({ show, status: 'loading' }, { seq: 33, visit: 'a' });
    again({ show }, { seq: 33, visit: 'a' });
    expect(show).toHaveBeenCalledOnce();
    again({ show }, { seq: 34, visit: 'b' });
    expect(show).toHaveBeenLastCalledWith(34);
  });

  it.each([
    ['does not exist or is not mine to read', 'no such message', 'It doesn’t exist, or you can’t see it.'],
    ['cannot be had now', transportError('network', 'x', null), 'Try again when you’re back online.'],
  ])('says it where it %s, in the same words for both', async (what, error, sentence) => {
    await act(async () => void draw({ show: () => Promise.reject(error) }, { seq: 900, visit: what }));
    const said = () => (pageToasts.get()?.get() ?? []).map(({ title, description }) => [title, description]);
    await waitFor(() => expect(said()).toContainEqual(['This message can’t be shown', sentence]));
  });
});
