// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { CHAT_STATES, type Chat, type Notify } from '@wardline/contract/chat/chat.ts';
import { describe, expect, it } from 'vitest';
import { formatTyping } from '#/features/chat/chat-view/typing.tsx';
import { bySection, filterChats, startFilter } from '#/features/chat/list/filter-chats.ts';
import { formatMarker } from '#/features/chat/participants/participant-labels.ts';
import { allChats, ana, edith, fakeChat, fakeList, leila, mira, now, priya, stBrigid } from '#/testing/fake-chats.ts';
import { bedParts } from './bed-parts.ts';
import {
  chatName,
  formatSubject,
  isMuted,
  lastLine,
  mayReact,
  readOnlyReason,
  systemLine,
  tellsOfPeople,
} from './chat-labels.ts';

describe('CHAT-10 the head of a chat', () => {
  it('has two identifiers of the patient, and no bed among them', () => {
    expect(chatName(edith, ana)).toBe('Edith Maron');
    expect(formatSubject(edith)).toMatch(/^MRN 40-118-236 · born \d+ Mar 1948$|^MRN 40-118-236 · born Mar 14, 1948$/);
    expect(formatSubject(edith)).not.toContain('3A');
  });

  it('has the other person of a direct chat', () => {
    const chat = fakeChat({ title: 'Ana Reyes, Priya Nair', kind: 'direct', minutesAgo: 1, said: 'x' });
    expect(chatName(chat, ana)).toBe('Priya Nair');
    expect(chatName(chat, leila)).toBe('Ana Reyes, Priya Nair');
  });

  it('CHAT-17 has the other person and their title, and says where nobody is left to write to', () => {
    const direct = { user_id: priya.id, name: priya.name, title: priya.title, is_member: true };
    const chat = { ...fakeChat({ title: priya.name, kind: 'direct', minutesAgo: 1, said: 'x' }), direct };
    expect([chatName(chat, ana), formatSubject(chat)]).toEqual(['Priya Nair', 'Pharmacist']);
    expect(readOnlyReason({ ...chat, state: 'closed' })).toBeNull();
    const gone = { ...chat, state: 'closed' as const, direct: { ...direct, title: null, is_member: false } };
    expect(formatSubject(gone)).toBe('No longer in this facility');
    expect(readOnlyReason(gone)).toBe('Priya Nair is no longer in this facility.');
  });

  it('CHAT-18 is muted for a time, or where only urgent messages or none come through', () => {
    const until = (muted_until: string | null, notify?: Notify) =>
      isMuted({ ...edith, my: { ...edith.my, muted_until, ...(notify && { notify }) } }, now);
    expect([until(null), until(null, 'all'), until(null, 'mentions')]).toEqual([false, false, false]);
    expect([until(null, 'urgent'), until(null, 'none')]).toEqual([true, true]);
    expect(until(new Date(now + 1000).toISOString())).toBe(true);
    expect(until(new Date(now - 1000).toISOString())).toBe(false);
    expect(isMuted(edith, now)).toBe(false);
  });

  it.each([
    ['3A-12', { unit: '3A', bed: '12' }],
    ['MAT 2', { unit: 'MAT', bed: '2' }],
    ['Corridor', { unit: '', bed: 'Corridor' }],
  ])('cuts the bed %s for its tag', (bed, parts) => {
    expect(bedParts(bed)).toEqual(parts);
  });
});

describe('the list of chats', () => {
  it('says who spoke last', () => {
    expect(lastLine(fakeChat({ title: 'x', minutesAgo: 1, said: 'Hello.', by: ana }), ana)).toBe('You: Hello.');
    expect(lastLine(fakeChat({ title: 'x', minutesAgo: 1, said: 'Hello.', by: mira }), ana)).toBe(
      'Dr. Mira Okafor: Hello.',
    );
    expect(lastLine({ ...edith, last_message: null }, ana)).toBe('No messages yet');
  });

  it.each([
    ['Ana Reyes', 'is on call as Surgeon and reads this chat', 'Ana Reyes is on call as Surgeon and reads this chat'],
    ['You', 'is on call as Surgeon and reads this chat', 'You are on call as Surgeon and read this chat'],
    ['You', 'is no longer on call as Surgeon; nobody is now', 'You are no longer on call as Surgeon; nobody is now'],
    ['You', 'closed the chat', 'You closed the chat'],
    ['You', 'Alert: MED 3A is and reads late', 'Alert: MED 3A is and reads late'],
  ])('CHAT-18 a line that tells of %s is a sentence: %s', (who, body, line) => {
    expect(systemLine(who, body)).toBe(line);
  });

  it('ADM-4 says of what was old enough that nobody deleted it, of a line of the system too', () => {
    const { last_message: last, ...chat } = fakeChat({ title: 'x', minutesAgo: 1, said: '', by: mira });
    if (!last) throw new Error('no last message');
    for (const kind of ['text', 'system'] as const) {
      const last_message = { ...last, kind, is_deleted: true, is_expired: true };
      expect(lastLine({ ...chat, last_message }, ana)).toBe('Deleted for its age');
    }
  });

  const names = (search: string) =>
    filterChats(fakeList().items, { ...startFilter, state: null, search }).map(({ chat }) => chat.title);

  it('finds words anywhere, without regard to case, accents or order', () => {
    expect(names('EDITH 40-118')).toEqual(['Edith Maron']);
    expect(names('hauptbetriebswerk')).toHaveLength(1);
    expect(names('elektrizitaten')).toHaveLength(1);
    expect(names('nobody')).toEqual([]);
  });

  it('filters by facility, kind, state and unread', () => {
    const items = fakeList().items;
    expect(filterChats(items, startFilter)).toHaveLength(allChats.length - 1);
    expect(filterChats(items, { ...startFilter, isUnreadOnly: true })).toHaveLength(4);
    expect(filterChats(items, { ...startFilter, kind: 'direct' })).toHaveLength(2);
    const here = filterChats(items, { ...startFilter, facilityId: stBrigid.id });
    expect(new Set(here.map(({ chat }) => chat.facility_id))).toEqual(new Set([stBrigid.id]));
  });

  it('CHAT-7 ‘Open’ shows what was handed over too, since it goes on; what is over is found by its state', () => {
    const items = (['open', 'handed_over', 'closed', 'archived'] as const).map((state) => {
      return { chat: fakeChat({ title: state, minutesAgo: 1, said: 'x', state }), pending: 0, failed: 0 };
    });
    const shown = (state: Chat['state']) => filterChats(items, { ...startFilter, state }).map(({ chat }) => chat.title);
    expect(shown('open')).toEqual(['open', 'handed_over']);
    expect([shown('handed_over'), shown('closed'), shown('archived')]).toEqual([
      ['handed_over'],
      ['closed'],
      ['archived'],
    ]);
  });

  it('CHAT-5 puts unread first, favourites next, and loses none', () => {
    const items = fakeList().items.map((item, n) => {
      const { chat } = item;
      return { ...item, chat: { ...chat, my: { ...chat.my, is_favorite: n % 2 === 0 } } };
    });
    const { unread, favorites, earlier } = bySection(items);
    expect(unread.every(({ chat }) => chat.my.unread > 0)).toBe(true);
    expect(favorites.length).toBeGreaterThan(0);
    expect(favorites.every(({ chat }) => chat.my.unread === 0 && chat.my.is_favorite)).toBe(true);
    expect(new Set([...unread, ...favorites, ...earlier].map(({ chat }) => chat.id)).size).toBe(allChats.length);
    const marked = filterChats(items, { ...startFilter, state: null, isFavoriteOnly: true });
    expect(marked.length).toBe(Math.ceil(items.length / 2));
    expect(marked.every(({ chat }) => chat.my.is_favorite)).toBe(true);
  });
});

describe('what may be written', () => {
  it.each([
    ['open', 'write', null],
    ['open', 'read', 'You can read this chat but not write in it.'],
    ['closed', 'manage', 'This chat is closed. New messages can’t be sent.'],
    ['archived', 'manage', 'This chat is archived. New messages can’t be sent.'],
    ['handed_over', 'write', null],
    ['handed_over', 'read', 'You can read this chat but not write in it.'],
  ] as const)('CHAT-7 a chat that is %s with the right to %s', (state, access, reason) => {
    expect(readOnlyReason(fakeChat({ title: 'x', minutesAgo: 1, said: 'x', state, access }))).toBe(reason);
  });

  it('CHAT-7 a tap is taken in the same states as a text', () => {
    const at = (state: Chat['state']) => mayReact(fakeChat({ title: 'x', minutesAgo: 1, said: 'x', state }));
    expect(CHAT_STATES.filter(at)).toEqual(['open', 'handed_over']);
  });
});

describe('people of a chat', () => {
  it.each([
    ['added Leila Haddad', true],
    ['left the chat', true],
    ['called Noor Siddiqui as Medical registrar, who sees messages from the urgent one on', true],
    ['closed the chat', false],
    ['handed the chat over', false],
  ])('CHAT-18 URG-1 the line “%s” tells of people: %s', (line, isOfPeople) => {
    expect(tellsOfPeople('system', line)).toBe(isOfPeople);
    expect(tellsOfPeople('text', line)).toBe(false);
  });

  it('CHAT-12 are named while they type', () => {
    expect(formatTyping([])).toBeUndefined();
    expect(formatTyping([mira])).toBe('Dr. Mira Okafor is typing');
    expect(formatTyping([mira, leila])).toBe('Dr. Mira Okafor and Leila Haddad are typing');
    expect(formatTyping([mira, leila, priya])).toBe('Dr. Mira Okafor and 2 others are typing');
  });

  it('CHAT-5 have got as far as their markers say', () => {
    const person = { user_id: 'x', name: 'x', title: null, access: 'write' } as const;
    expect(formatMarker({ ...person, read_seq: 40, delivered_seq: 40 }, 40)).toBe('has read everything');
    expect(formatMarker({ ...person, read_seq: 39, delivered_seq: 40 }, 40)).toBe('1 unread, delivered');
    expect(formatMarker({ ...person, read_seq: 30, delivered_seq: 38 }, 40)).toBe('10 unread');
  });
});
