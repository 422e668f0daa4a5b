import 'fake-indexeddb/auto';
import { fakeTime, settle, until } from '@wardline/client/testing/settle.ts';
import { sync } from '@wardline/contract/chat/chat.ts';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isMentioned } from '#/features/chat/core/chat-labels.ts';
import {
  CHAT,
  createFakeChatServer,
  FACILITY,
  type FakeChatServer,
  idOf,
  ME,
  OTHER,
} from '#/features/chat/testing/fake-chat-server.ts';
import { type FakeDevice, openDevice } from '#/features/chat/testing/fake-device.ts';
import { CURSOR } from './chat-list-reducer.ts';

describe('the chat list', () => {
  let server: FakeChatServer;
  let device: FakeDevice;
  beforeEach(async () => {
    fakeTime();
    globalThis.indexedDB = new IDBFactory();
    server = createFakeChatServer();
    server.say(OTHER, 'first');
    device = await openDevice(server);
    await until(() => device.runtime.chats.get().status === 'ready');
    await settle();
  });
  afterEach(() => {
    device.kill();
    vi.useRealTimers();
  });
  const list = () => device.runtime.chats.get();
  const tell = (event: string, data: object) =>
    server.realtime.publish(`private-App.Models.User.${ME}`, `App\\Events\\${event}`, data);
  const syncs = () => server.api.asked.filter((line) => line.includes('/api/sync')).length;

  it('CHAT-5 counts the unread ones, and a live message moves its row', async () => {
    expect(list()).toMatchObject({ unreadChats: 1, isFromDevice: false });
    const before = syncs();
    server.say(OTHER, 'second');
    await settle();
    expect(list().items[0]?.chat).toMatchObject({
      head_seq: 2,
      my: { unread: 2 },
      last_message: { excerpt: 'second' },
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect(syncs()).toBe(before);
  });

  it('CHAT-10 CHAT-5 a mention is told with its message, goes with reading, and is taken back by an edit', async () => {
    const tellNew = async (head_seq: number, mentioned?: string[] | 'all') => {
      const last_message = {
        ...{ seq: head_seq, sender_id: OTHER, sender_name: 'Imre', kind: 'text' as const, excerpt: 'x' },
        created_at: new Date().toISOString(),
      };
      tell('ChatChanged', { chat_id: CHAT, facility_id: FACILITY, version: 1, head_seq, last_message, mentioned });
      await settle();
    };
    const isCalled = () => list().items.map(({ chat }) => isMentioned(chat));
    const markers = async (read_seq: number, mention_seq?: number) => {
      tell('MarkersChanged', { chat_id: CHAT, user_id: ME, head_seq: 9, delivered_seq: 9, read_seq, mention_seq });
      await settle();
    };
    await tellNew(2, [OTHER]);
    expect(isCalled()).toEqual([false]);
    await tellNew(3, [OTHER, ME]);
    await tellNew(4);
    expect(isCalled()).toEqual([true]);
    await markers(0, 0);
    expect(isCalled()).toEqual([false]);
    await tellNew(5, 'all');
    expect(isCalled()).toEqual([true]);
    await markers(4);
    expect(isCalled()).toEqual([true]);
    await markers(5);
    expect(isCalled()).toEqual([false]);
  });

  it('CHAT-5 of messages that were stored together the event says who wrote each; only where some are missing the server is asked', async () => {
    const before = syncs();
    const chat = server.chat();
    const last_message = {
      ...{ seq: 4, sender_id: OTHER, sender_name: 'Imre', kind: 'text' as const, excerpt: 'fourth' },
      created_at: new Date().toISOString(),
    };
    const change = { chat_id: chat.id, facility_id: FACILITY, version: 1, last_message };
    // The first two of these four are known already.
    server.say(OTHER, 'second');
    await settle();
    tell('ChatChanged', { ...change, head_seq: 4, sender_ids: [ME, ME, ME, OTHER] });
    await settle();
    expect(list().items[0]?.chat).toMatchObject({ head_seq: 4, my: { unread: 3 } });
    await vi.advanceTimersByTimeAsync(1000);
    expect(syncs()).toBe(before);
    tell('ChatChanged', { ...change, head_seq: 7, sender_ids: [OTHER, OTHER] });
    await vi.advanceTimersByTimeAsync(1000);
    await settle();
    expect(syncs()).toBe(before + 1);
  });

  it('F-U5 a line about people asks the server how many there are now', async () => {
    const before = syncs();
    server.participants.pop();
    server.say(OTHER, 'left the chat', { kind: 'system' });
    await until(() => list().items[0]?.chat.participant_count === 1, 'the count');
    expect(syncs()).toBe(before + 1);
  });

  it('CHAT-4 an unknown chat or another version asks the server, once for many', async () => {
    const before = syncs();
    const changes = { chat_id: idOf(9), facility_id: FACILITY, head_seq: 1, version: 1, last_message: null };
    for (let index = 0; index < 5; index += 1) tell('ChatChanged', changes);
    tell('ChatChanged', { ...changes, chat_id: server.chat().id, version: 2 });
    await settle();
    await vi.advanceTimersByTimeAsync(1000);
    await settle();
    expect(syncs()).toBe(before + 1);
  });

  it('CHAT-18 a muted chat keeps its count and is not counted among those that ask for attention', async () => {
    expect(list().unreadChats).toBe(1);
    const chat = server.chat();
    server.api.on(sync, () => ({
      chats: [{ ...chat, my: { ...chat.my, notify: 'urgent' as const } }],
      ...{ removed_chat_ids: [], reset: false, cursor: 'muted', has_more: false },
    }));
    tell('MembershipChanged', { facility_id: FACILITY, chat_id: chat.id, change: 'changed' });
    await vi.advanceTimersByTimeAsync(1000);
    await until(() => list().unreadChats === 0, 'the mute');
    expect(list().items[0]?.chat.my.unread).toBe(1);
  });

  it('CHAT-4 rows and cursor are kept together, and the next start asks from there', async () => {
    await until(async () => (await device.store.meta(CURSOR)) !== undefined, 'the kept cursor');
    device.kill();
    server.api.asked.length = 0;
    device = await openDevice(server);
    await until(() => !list().isFromDevice && list().status === 'ready');
    expect(server.api.asked.find((line) => line.includes('/api/sync'))).toContain('cursor=');
    expect(list().items).toHaveLength(1);
  });

  it('CHAT-6 a lost facility takes its chats and their copies along', async () => {
    server.removeMe();
    tell('MembershipChanged', { facility_id: FACILITY, chat_id: null, change: 'removed' });
    await until(() => list().items.length === 0);
    await until(async () => (await device.store.chats()).length === 0, 'the wiped copy');
  });

  it('ADM-2 CHAT-4 what one belongs to is asked for when it changed, and when that may have been told while nobody listened', async () => {
    expect(device.identified()).toBe(1);
    tell('MembershipChanged', { facility_id: FACILITY, chat_id: null, change: 'changed' });
    await until(() => device.identified() === 2, 'asked since it was told');
    server.realtime.drop();
    await settle();
    server.realtime.restore();
    await vi.advanceTimersByTimeAsync(10_000);
    await until(() => device.identified() === 3, 'asked since it is back');
  });

  it('ADM-2 CHAT-4 CHAT-7 what closed between the load of the page and its first subscription is noticed', async () => {
    device.kill();
    server.realtime.drop();
    device = await openDevice(server);
    await until(() => list().status === 'ready' && !list().isFromDevice, 'the loaded page');
    const closed = { ...server.chat(), state: 'closed' as const, version: 2 };
    server.api.on(sync, () => ({
      ...{ chats: [closed], removed_chat_ids: [], reset: false, cursor: 'later', has_more: false },
    }));
    expect([list().items[0]?.chat.state, device.identified()]).toEqual(['open', 0]);
    server.realtime.restore();
    await vi.advanceTimersByTimeAsync(10_000);
    await until(() => list().items[0]?.chat.state === 'closed', 'the closed chat');
    await until(() => device.identified() === 1, 'what one belongs to');
  });

  describe('a chat that appears while the tab is open', () => {
    const other = idOf(0x77);
    const appears = async (sender_id: string) => {
      const last_message = { seq: 1, sender_id, sender_name: 'x', kind: 'system', excerpt: 'added Nuru' } as const;
      const chat = { ...server.chat(), id: other, title: 'Night team', head_seq: 1 };
      const chats = [{ ...chat, last_message: { ...last_message, created_at: chat.created_at } }];
      server.api.on(sync, () => ({ chats, removed_chat_ids: [], reset: false, cursor: 'next', has_more: false }));
      tell('MembershipChanged', { facility_id: FACILITY, chat_id: other, change: 'added' });
      await settle();
      await vi.advanceTimersByTimeAsync(1000);
      await until(() => list().items.some(({ chat }) => chat.id === other));
    };

    it('TOAST-1 CHAT-4 is told of, once, where another person put me into it', async () => {
      await appears(OTHER);
      expect(device.added).toEqual(['Night team']);
      tell('MembershipChanged', { facility_id: FACILITY, chat_id: other, change: 'added' });
      await vi.advanceTimersByTimeAsync(1000);
      await settle();
      expect(device.added).toEqual(['Night team']);
    });

    it('TOAST-1 CHAT-4 is no news where I made it myself, in another tab', async () => {
      await appears(ME);
      expect(device.added).toEqual([]);
    });

    it('TOAST-1 CHAT-4 nor is what the first page brings, or a changed access', async () => {
      expect(device.added).toEqual([]);
      tell('MembershipChanged', { facility_id: FACILITY, chat_id: server.chat().id, change: 'changed' });
      await vi.advanceTimersByTimeAsync(1000);
      await settle();
      expect(device.added).toEqual([]);
    });
  });

  it('CHAT-4 RTA-6 while nothing is told live it asks what changed, twice a minute, and no more once it is', async () => {
    const before = syncs();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(syncs()).toBe(before);
    server.realtime.drop();
    server.say(OTHER, 'second');
    await vi.advanceTimersByTimeAsync(31_000);
    await settle();
    expect(list().items[0]?.chat).toMatchObject({ head_seq: 2, my: { unread: 2 } });
    server.realtime.restore();
    await vi.advanceTimersByTimeAsync(5_000);
    const live = syncs();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(syncs()).toBe(live);
  });

  it('CHAT-5 what came after a reading that the server does not know of yet is unread', async () => {
    device.open();
    await until(() => device.chatView().status === 'ready');
    await settle();
    let isDown = true;
    server.api.around = async ({ line }, go) => {
      if (isDown && line.startsWith('PUT')) throw new TypeError('no network');
      return go();
    };
    device.chatView().markRead(1);
    await settle();
    device.close();
    await vi.advanceTimersByTimeAsync(3000);
    server.realtime.drop();
    for (const body of ['two', 'three', 'four']) server.say(OTHER, body, { isSilent: true });
    server.realtime.restore();
    await vi.advanceTimersByTimeAsync(1000);
    expect(list().items[0]?.chat.my).toMatchObject({ read_seq: 1, unread: 3 });
    isDown = false;
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(server.chat().my).toMatchObject({ read_seq: 1, unread: 3 });
    expect(list().items[0]?.chat.my).toMatchObject({ read_seq: 1, unread: 3 });
  });

  it('CHAT-4 a page that was on its way does not take back what an event has told', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.api.around = async ({ line }, go) => {
      const response = await go();
      if (line.includes('/api/sync')) await gate;
      return response;
    };
    tell('MembershipChanged', { facility_id: FACILITY, chat_id: null, change: 'changed' });
    await vi.advanceTimersByTimeAsync(400);
    await settle();
    server.say(OTHER, 'newer');
    await settle();
    release();
    await settle();
    expect(list().items[0]?.chat).toMatchObject({ head_seq: 2, last_message: { excerpt: 'newer' } });
  });

  it('CHAT-4 a copy of another database is given up', async () => {
    server.api.on(sync, () => ({ chats: [], removed_chat_ids: [], reset: true, cursor: 'new', has_more: false }));
    device.runtime.chats.get().retry();
    await until(() => list().items.length === 0);
    await until(async () => (await device.store.chats()).length === 0, 'the wiped copy');
  });

  it('RTA-6 asks again by itself when the server does not answer', async () => {
    let tries = 0;
    server.api.around = async ({ line }, go) => {
      if (line.includes('/api/sync')) tries += 1;
      if (tries < 4) throw new TypeError('no network');
      return await go();
    };
    device.runtime.chats.get().retry();
    await until(() => tries >= 4 && list().error === null);
  });
});
