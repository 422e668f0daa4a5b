// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { Message } from '@wardline/contract/chat/chat.ts';
import { listPins } from '@wardline/contract/chat/chat-changes.ts';
import { expect, it, vi } from 'vitest';
import { MessageRow } from '#/features/chat/chat-view/message-row.tsx';
import type { TimelineItem } from '#/features/chat/core/chat-view.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, edith, fakeMessage, leila, mira } from '#/testing/fake-chats.ts';
import { PinsButton } from './pins-button.tsx';

const pinnedAt = (message: Message, minute: number, by = mira): Message => ({
  ...message,
  change_seq: minute,
  pinned: { at: `2026-11-20T00:${minute}:00.000Z`, user_id: by.id, name: by.name },
});
const held = (message: Message): TimelineItem => ({ type: 'message', message, receipt: null });
const old = pinnedAt(fakeMessage(3, leila, 500, 'Drug room: ask the charge nurse'), 10);
const newer = pinnedAt(fakeMessage(7, ana, 90, 'Visiting\nhours 14 to 20'), 20);

function show(items: readonly TimelineItem[], given: { mayWrite?: boolean } = {}) {
  const app = createFakeApp();
  app.api.on(listPins, () => ({ data: [newer, old], next_cursor: null }));
  const acts = { chat: { ...edith, pin_count: 2 }, myId: ana.id, mayWrite: true, change: vi.fn(), onShow: vi.fn() };
  const draw = (shown: readonly TimelineItem[]) => (
    <PinsButton items={shown} acts={{ ...acts, ...given }} timeZone="UTC" />
  );
  const { rerender } = app.draw(draw(items));
  const open = () => fireEvent.click(screen.getByRole('button', { name: 'Pinned messages' }));
  return { app, acts, open, again: (shown: readonly TimelineItem[]) => rerender(draw(shown)) };
}
const lines = () => screen.getAllByRole('listitem').map((line) => within(line).getAllByRole('button')[0]?.textContent);

it('CHAT-11 the pinned messages of a chat are listed with who said them, and a press leads to one', async () => {
  const { acts, open } = show([]);
  open();
  await waitFor(() => expect(lines()).toHaveLength(2));
  expect(lines()[0]).toMatch(/^You, .*Visiting hours 14 to 20$/);
  expect(lines()[1]).toMatch(/^Leila Haddad, .*Drug room: ask the charge nurse$/);
  fireEvent.click(screen.getByRole('button', { name: /Drug room/ }));
  await waitFor(() => expect(acts.onShow).toHaveBeenCalledExactlyOnceWith(3));
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('CHAT-11 one is unpinned there by who may write, and goes at once', async () => {
  const { acts, open, again } = show([held(newer)]);
  open();
  await waitFor(() => expect(lines()).toHaveLength(2));
  fireEvent.click(screen.getAllByRole('button', { name: 'Unpin' })[0] as HTMLElement);
  expect(acts.change).toHaveBeenCalledExactlyOnceWith({ type: 'pin', messageId: newer.id, isPinned: false });
  again([held({ ...newer, pinned: null })]);
  expect(lines()).toHaveLength(1);
});

it('CHAT-11 OFF-1 without a network those on this device are shown, and it says so; who only reads unpins none', async () => {
  const { app, open } = show([held(old), held(fakeMessage(8, mira, 1, 'not pinned'))], { mayWrite: false });
  app.api.around = () => Promise.reject(new TypeError('no network'));
  open();
  expect(await screen.findByText(/Only those on this device are shown\.$/)).toBeTruthy();
  expect(lines()).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Unpin' })).toBeNull();
});

it('CHAT-11 a message says by whom it is pinned, and its menu pins and unpins it', async () => {
  const acts = {
    ...{ chat: edith, myId: mira.id, mayReact: false, mayWrite: true, change: vi.fn(), onRetry: vi.fn() },
    ...{ onDiscard: vi.fn(), onReply: vi.fn(), quoted: () => undefined, onQuoteSeen: vi.fn(), onShow: vi.fn() },
    ...{
      editing: null,
      onEdit: vi.fn(),
      onDelete: vi.fn(),
      onVersions: vi.fn(),
      onForward: vi.fn(),
      onMarkUnread: vi.fn(),
    },
  };
  const row = (message: Message) => (
    <MessageRow {...{ message, acts }} receipt={null} isOwn={false} isHead timeZone="UTC" />
  );
  const { rerender } = render(row(old));
  expect(await screen.findByText('Pinned by you')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'More' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Unpin' }));
  expect(acts.change).toHaveBeenLastCalledWith({ type: 'pin', messageId: old.id, isPinned: false });
  rerender(row({ ...old, pinned: null }));
  expect(screen.queryByText('Pinned by you')).toBeNull();
});
