// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { ChatView } from '#/features/chat/core/chat-view.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, edith, fakeChatView, harbour, stBrigid } from '#/testing/fake-chats.ts';
import { ChatStates } from './chat-pane.tsx';

const show = (chatView: Partial<ChatView>, facility = stBrigid) =>
  createFakeApp().draw(
    <ChatStates chatView={fakeChatView(chatView)} facility={facility} me={ana} drawAct={() => null} />,
  );

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

it('CHAT-15 CHAT-11 an address with a message leads to it once the chat is there, and to the next one it is changed to', async () => {
  const lead = vi.fn(async () => undefined);
  const at = (ledToSeq: number | null, change: Partial<ChatView> = {}) => (
    <ChatStates
      chatView={fakeChatView({ show: lead, ...change })}
      facility={stBrigid}
      me={ana}
      drawAct={() => null}
      ledToSeq={ledToSeq}
    />
  );
  const { rerender } = createFakeApp().draw(at(31, { status: 'loading' }));
  expect(lead).not.toHaveBeenCalled();
  rerender(at(31));
  rerender(at(31));
  expect(lead).toHaveBeenCalledExactlyOnceWith(31);
  rerender(at(33));
  expect(lead).toHaveBeenLastCalledWith(33);
  rerender(at(null));
  expect(lead).toHaveBeenCalledTimes(2);
});
