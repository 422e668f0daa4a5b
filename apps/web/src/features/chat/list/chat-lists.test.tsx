// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, within } from '@testing-library/react';
import type { Chat } from '@wardline/contract/chat.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { draftsOf } from '#/features/chat/chat-view/draft-store.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { allChats, ana, fakeChat, fakeList, harbour, stBrigid } from '#/testing/fake-chats.ts';
import { ChatListView } from './chat-list-pane.tsx';
import { ChatsView } from './chats-screen.tsx';

const handedOver = chat({ title: 'Owen Brandt', state: 'handed_over', unread: 2 });
const read = chat({ title: 'Handed over and read', state: 'handed_over' });
const list = fakeList([handedOver, read, ...allChats].map((item) => ({ chat: item, pending: 0, failed: 0 })));

function chat(sketch: Pick<Partial<Chat>, 'state'> & { title: string; unread?: number }): Chat {
  return fakeChat({ minutesAgo: 5, said: 'On 3B now.', ...sketch });
}

// A box without a height draws no row.
beforeEach(() => void vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(2000));
afterEach(() => void vi.restoreAllMocks());

const rowsIn = (name: string) => within(screen.getByRole('list', { name })).getAllByRole('listitem');
const unreadChip = () => screen.getByRole('button', { name: /^Unread/ });

it('F-U2 the page of all chats shows as many unread chats as the badge counts, a handed-over one among them', () => {
  createFakeApp().draw(<ChatsView me={ana} facilities={[stBrigid, harbour]} list={list} />);
  expect(list.unreadChats).toBe(5);
  expect(rowsIn('Unread chats')).toHaveLength(5);
  expect(unreadChip().textContent).toContain('5');
  fireEvent.click(unreadChip());
  expect(rowsIn('Unread chats')).toHaveLength(5);
  expect(screen.getByText('Owen Brandt')).toBeTruthy();
  expect(screen.queryByText('Handed over and read')).toBeNull();
});

it('F-U2 the list beside a chat shows each unread chat of its facility, whatever its state', () => {
  createFakeApp().draw(<ChatListView me={ana} facility={stBrigid} openChatId={null} list={list} />);
  expect(unreadChip().textContent).toContain('4');
  expect(screen.getByText('Owen Brandt')).toBeTruthy();
  fireEvent.click(unreadChip());
  expect(rowsIn('Chats')).toHaveLength(4);
});

it('CHAT-10 a chat in which one has begun to write shows that in place of its last line, except while it is open', () => {
  const one = chat({ title: 'Owen Brandt' });
  const only = fakeList([{ chat: one, pending: 0, failed: 0 }]);
  const { draw } = createFakeApp();
  const drawn = draw(<ChatListView me={ana} facility={stBrigid} openChatId={null} list={only} />);
  const row = () => rowsIn('Chats')[0]?.textContent;
  expect(row()).toContain('On 3B now.');
  act(() => draftsOf(ana.id).write(one.id, ' Could you look at '));
  expect(row()).toContain('Draft: Could you look at');
  expect(row()).not.toContain('On 3B now.');
  act(() => draftsOf(ana.id).write(one.id, ' '));
  expect(row()).toContain('On 3B now.');
  drawn.unmount();
  act(() => draftsOf(ana.id).write(one.id, 'Could you'));
  draw(<ChatListView me={ana} facility={stBrigid} openChatId={one.id} list={only} />);
  expect(row()).toContain('On 3B now.');
});

it('CHAT-18 a muted chat says so in its row', () => {
  const base = chat({ title: 'Loud team', unread: 3 });
  const muted = { ...base, my: { ...base.my, notify: 'urgent' as const } };
  const one = fakeList([{ chat: muted, pending: 0, failed: 0 }]);
  createFakeApp().draw(<ChatListView me={ana} facility={stBrigid} openChatId={null} list={one} />);
  expect(within(rowsIn('Chats')[0] as HTMLElement).getByRole('img', { name: 'Muted' })).toBeTruthy();
});

it('F-U2 the count of Unread is what it shows beside the other filters', () => {
  createFakeApp().draw(<ChatsView me={ana} facilities={[stBrigid, harbour]} list={list} />);
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'owen' } });
  expect(unreadChip().textContent).toContain('1');
  expect(rowsIn('Unread chats')).toHaveLength(1);
});
