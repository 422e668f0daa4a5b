// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type Chat, listChats } from '@wardline/contract/chat/chat.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { draftsOf } from '#/features/chat/drafts/draft-store.ts';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { allChats, ana, fakeChat, fakeList, harbour, stBrigid } from '#/testing/fake-chats.ts';
import { ChatListView } from './chat-list-pane.tsx';
import { ChatsView } from './chats-screen.tsx';

const handedOver = chat({ title: 'Owen Brandt', state: 'handed_over', unread: 2 });
const read = chat({ title: 'Handed over and read', state: 'handed_over' });
const list = fakeList([handedOver, read, ...allChats].map((item) => ({ chat: item, pending: 0, failed: 0 })));

function chat(sketch: Pick<Partial<Chat>, 'state'> & { title: string; unread?: number; said?: string }): Chat {
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

it('CHAT-10 a list names a patient by two identifiers, the narrow one beside a chat too', () => {
  const { draw } = createFakeApp();
  const drawn = draw(<ChatListView me={ana} facility={stBrigid} openChatId={null} list={list} />);
  const narrow = screen.getByText('MRN 40-118-236', { exact: false });
  expect(narrow.closest('[href]')?.textContent).toContain('Edith Maron');
  expect(narrow.closest('.only-desk')).toBeNull();
  drawn.unmount();
  draw(<ChatsView me={ana} facilities={[stBrigid, harbour]} list={list} />);
  const onEitherWidth = screen.getAllByText('MRN 40-118-236', { exact: false });
  expect(onEitherWidth.map((one) => one.className)).toEqual([
    expect.stringContaining('only-desk'),
    expect.stringContaining('only-phone'),
  ]);
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

it('CHAT-22 a row says what was said without its marks, and leaves a comparison as it is', async () => {
  const marked = chat({ title: 'Marked', said: '**Situation:** _short_ of breath, SpO2 > 88' });
  const only = fakeList([{ chat: marked, pending: 0, failed: 0 }]);
  createFakeApp().draw(<ChatListView me={ana} facility={stBrigid} openChatId={null} list={only} />);
  expect(await screen.findByText(/: Situation: short of breath, SpO2 > 88$/)).toBeTruthy();
});

it('CHAT-18 favourites stand before the rest of what was read, and the filter shows them alone', () => {
  const base = chat({ title: 'My patient' });
  const mine = { ...base, my: { ...base.my, is_favorite: true } };
  const other = chat({ title: 'Somebody else’s' });
  const two = fakeList([other, mine].map((item) => ({ chat: item, pending: 0, failed: 0 })));
  createFakeApp().draw(<ChatsView me={ana} facilities={[stBrigid]} list={two} />);
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'Favourites',
    'Earlier',
  ]);
  expect(within(screen.getByRole('list', { name: 'Favourite chats' })).getByText('My patient')).toBeTruthy();
  expect(screen.getByRole('img', { name: 'Favourite' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Favourites' }));
  expect(screen.queryByText('Somebody else’s')).toBeNull();
  expect(screen.getByText('My patient')).toBeTruthy();
  cleanup();
  createFakeApp().draw(<ChatsView me={ana} facilities={[stBrigid]} list={list} />);
  expect(screen.queryByRole('button', { name: 'Favourites' })).toBeNull();
});

it('CHAT-5 a chat that I keep as unread stands with what is unread, with a mark in place of a count', () => {
  const base = chat({ title: 'Come back to this' });
  const kept = { ...base, my: { ...base.my, marked_unread_seq: base.head_seq } };
  const other = chat({ title: 'Read' });
  const two = fakeList([other, kept].map((item) => ({ chat: item, pending: 0, failed: 0 })));
  createFakeApp().draw(<ChatsView me={ana} facilities={[stBrigid]} list={two} />);
  const unread = within(screen.getByRole('list', { name: 'Unread chats' }));
  expect(unread.getByText('Come back to this')).toBeTruthy();
  expect(unread.getAllByRole('img', { name: 'Marked as unread' }).length).toBeGreaterThan(0);
  expect(unread.queryByText('Read')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: /^Unread/ }));
  expect(screen.queryByText('Read')).toBeNull();
  expect(screen.getByText('Come back to this')).toBeTruthy();
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

/** A server with this many archived chats in the first facility, newest activity first, 50 a page. */
function withArchive(count: number) {
  const app = createFakeApp();
  const stored = Array.from({ length: count }, (_, n) => chat({ title: `Archived ${n + 1}`, state: 'archived' }));
  app.api.on(listChats, ({ params, query }) => {
    const fitting = stored.filter(
      ({ facility_id, title, kind }) =>
        params.facility === facility_id &&
        query.state === 'archived' &&
        title.includes(query.q ?? '') &&
        (query.kind ?? kind) === kind,
    );
    const from = Number(query.cursor ?? 0);
    const isMore = fitting.length > from + 50;
    return { data: fitting.slice(from, from + 50), next_cursor: isMore ? String(from + 50) : null };
  });
  return { app, stored };
}

async function chooseState(name: string) {
  fireEvent.click(screen.getByRole('button', { name: 'Open' }));
  if (name === 'All states') return;
  await waitFor(() => {
    // Until its code is there the chip opens nothing.
    const chip = screen.getByRole('button', { name: 'All states' });
    if (chip.getAttribute('aria-haspopup') === null) throw new Error('the menu has not come');
    fireEvent.keyDown(chip, { key: 'Enter' });
  });
  fireEvent.click(await screen.findByRole('menuitemradio', { name }));
}

it('CHAT-20 a device that was signed in later finds the archived chats, page by page', async () => {
  const { app, stored } = withArchive(70);
  const kept = fakeList([{ chat: stored[0] as Chat, pending: 0, failed: 0 }, ...list.items]);
  app.draw(<ChatsView me={ana} facilities={[stBrigid, harbour]} list={kept} />);
  expect(app.api.asked).toEqual([]);
  await chooseState('Archived');
  expect(await screen.findByRole('list', { name: 'Archive of St. Brigid General' })).toBeTruthy();
  expect(rowsIn('Archive of St. Brigid General')).toHaveLength(49);
  expect(screen.getAllByText('Archived 1')).toHaveLength(1);
  expect(screen.getByText('No other archived chats.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  await screen.findByText('Archived 70');
  expect(rowsIn('Archive of St. Brigid General')).toHaveLength(69);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

it('CHAT-20 the archive is searched where it is kept, and left out beside open chats', async () => {
  const { app } = withArchive(12);
  app.draw(<ChatListView me={ana} facility={stBrigid} openChatId={null} list={list} />);
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'Archived 12' } });
  expect(app.api.asked).toEqual([]);
  await chooseState('All states');
  expect(await screen.findByText('Archived 12')).toBeTruthy();
  expect(rowsIn('Archive')).toHaveLength(1);
});

it('CHAT-20 says that the archive needs a network, and what the server refused', async () => {
  const { app } = withArchive(3);
  setOnline(false);
  app.draw(<ChatListView me={ana} facility={stBrigid} openChatId={null} list={list} />);
  await chooseState('Archived');
  expect(await screen.findByText('The archive shows when you are online.')).toBeTruthy();
  app.refuse(503, { message: 'Down for a moment.' });
  act(() => setOnline(true));
  expect(await screen.findByText('The archive did not load')).toBeTruthy();
  app.answer();
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Archived 3')).toBeTruthy();
});

it('SHELL-8 a filter that is on is in view in the row of filters, when the list opens and once it was chosen', () => {
  // A row as wide as a phone, of chips that are 120 wide.
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function rect(this: HTMLElement) {
    const place = this.matches('.chip') ? [...(this.parentElement?.children ?? [])].indexOf(this) : 0;
    return new DOMRect(place * 120 - (this.parentElement?.scrollLeft ?? 0), 0, this.matches('.chip') ? 120 : 360, 32);
  });
  createFakeApp().draw(<ChatsView me={ana} facilities={[stBrigid, harbour]} list={list} />);
  const row = screen.getByRole('group', { name: 'Filters' });
  const chip = (name: RegExp) => within(row).getByRole('button', { name });
  const isInView = (one: HTMLElement) => {
    const { left, right } = one.getBoundingClientRect();
    return left >= 0 && right <= 360;
  };
  expect(chip(/^Open/).getAttribute('aria-pressed')).toBe('true');
  expect(isInView(chip(/^Open/))).toBe(true);
  expect(isInView(unreadChip())).toBe(true);
});
