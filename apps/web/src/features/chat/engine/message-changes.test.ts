import 'fake-indexeddb/auto';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import { createFakeTabs } from '@wardline/client/testing/fake-tabs.ts';
import { fakeTime, settle, until } from '@wardline/client/testing/settle.ts';
import type { Message } from '@wardline/contract/chat/chat.ts';
import { setPin, setReaction } from '@wardline/contract/chat/chat-changes.ts';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MessageChange } from '#/features/chat/core/chat-view.ts';
import {
  CHAT,
  createFakeChatServer,
  type FakeChatServer,
  ME,
  OTHER,
} from '#/features/chat/testing/fake-chat-server.ts';
import { type FakeDevice, openDevice } from '#/features/chat/testing/fake-device.ts';

describe('messages that change after they were sent', () => {
  let server: FakeChatServer;
  let devices: FakeDevice[];
  beforeEach(() => {
    fakeTime();
    globalThis.indexedDB = new IDBFactory();
    server = createFakeChatServer();
    devices = [];
    for (let n = 1; n <= 3; n++) server.say(OTHER, `m${n}`, { isSilent: true });
  });
  afterEach(() => {
    for (const device of devices) device.kill();
    vi.useRealTimers();
  });
  const opened = async (tabs = createFakeTabs()): Promise<FakeDevice> => {
    const made = await openDevice(server, tabs);
    devices.push(made);
    made.open();
    await until(() => made.chatView().status === 'ready' && !made.chatView().isFromDevice, 'the chat');
    await settle();
    return made;
  };
  const items = (device: FakeDevice) =>
    device.chatView().items.flatMap((item) => (item.type === 'message' ? item : []));
  const codes = (message: Message | undefined) => (message?.reactions ?? []).map(({ code, name }) => `${code} ${name}`);
  const shown = (device: FakeDevice) => items(device).map(({ message }) => codes(message));
  const asks = () => server.api.asked.filter((line) => line.includes('changed_after')).length;
  const of = (seq: number): Message => {
    const message = server.messages[seq - 1];
    if (message === undefined) throw new Error(`no message ${seq}`);
    return message;
  };
  const react = (seq: number, isSet = true): MessageChange => ({
    type: 'react',
    messageId: of(seq).id,
    code: 'done',
    isSet,
  });
  const goOffline = (device: FakeDevice) => {
    server.api.around = () => Promise.reject(new TypeError('no network'));
    server.realtime.drop();
    device.goOnline(false);
  };
  const goOnline = (device: FakeDevice) => {
    server.api.around = (_request, go) => go();
    server.realtime.restore();
    device.goOnline(true);
  };

  it('CHAT-11 another person’s reaction is shown as soon as it is told, without a question', async () => {
    const device = await opened();
    server.react(OTHER, of(2));
    await settle();
    expect(shown(device)).toEqual([[], ['done Imre'], []]);
    expect(asks()).toBe(0);
  });

  it('CHAT-4 CHAT-11 what was missed live is asked for when the next is told, and after a reconnect', async () => {
    const device = await opened();
    server.react(OTHER, of(1), true, { isSilent: true });
    server.react(OTHER, of(2));
    await until(() => shown(device)[0]?.length === 1, 'the one that was missed');
    expect(shown(device)).toEqual([['done Imre'], ['done Imre'], []]);
    expect(asks()).toBe(1);
    server.realtime.drop();
    server.react(OTHER, of(3), true, { isSilent: true });
    server.realtime.restore();
    await until(() => shown(device)[2]?.length === 1, 'the one of the meantime');
  });

  it('CHAT-11 OFF-1 a reaction without a network is shown at once, kept over a killed tab, and sent when the network is there', async () => {
    const tabs = createFakeTabs();
    const first = await opened(tabs);
    goOffline(first);
    await first.chatView().change(react(2));
    await settle();
    expect(shown(first)[1]).toEqual(['done Nuru']);
    expect(codes(of(2))).toEqual([]);
    first.kill();

    const second = await openDevice(server, tabs);
    devices.push(second);
    second.open();
    await until(() => shown(second)[1]?.length === 1, 'the kept reaction');
    goOnline(second);
    await until(() => codes(of(2)).length === 1, 'the server to have it');
    await settle();
    expect(shown(second)[1]).toEqual(['done Nuru']);
    expect(second.outbox.count.get().waiting).toBe(0);
  });

  it('CHAT-11 given and taken back while offline, both go out in that order', async () => {
    const device = await opened();
    goOffline(device);
    await device.chatView().change(react(1));
    await device.chatView().change(react(1, false));
    await device.chatView().change(react(3));
    expect(shown(device)).toEqual([[], [], ['done Nuru']]);
    goOnline(device);
    await until(() => codes(of(3)).length === 1, 'the server to have it');
    expect(codes(of(1))).toEqual([]);
  });

  it('CHAT-24 a reaction that is refused says why at its message, and holds up nothing', async () => {
    const device = await opened();
    server.api.on(setReaction, () => {
      throw new FakeRefusal('forbidden');
    });
    await device.chatView().change(react(2));
    await device.chatView().send('goes out all the same');
    await until(() => items(device).length === 4, 'the message');
    const [, refused] = items(device);
    expect(codes(refused?.message)).toEqual([]);
    expect(refused?.refused).toMatchObject([{ reason: 'This chat can’t be changed any more.' }]);
    await device.chatView().discard(refused?.refused?.[0]?.clientId ?? '');
    expect(items(device)[1]?.refused).toBeUndefined();
  });

  it('CHAT-4 CHAT-11 the copy on the device has the reactions of messages that were not on the screen', async () => {
    for (let n = 4; n <= 320; n++) server.say(OTHER, `m${n}`, { isSilent: true });
    Object.assign(server.participants.find(({ user_id }) => user_id === ME) ?? {}, {
      delivered_seq: 320,
      read_seq: 320,
    });
    const tabs = createFakeTabs();
    const first = await opened(tabs);
    first.chatView().loadOlder();
    await until(() => items(first).length === 300, 'older messages');
    await until(async () => (await first.store.messages(CHAT, { limit: 999 })).length === 300, 'the copy');
    first.kill();
    const second = await opened(tabs);
    expect(items(second)[0]?.message.seq).toBe(121);
    server.react(OTHER, of(30));
    await settle();
    goOffline(second);
    second.chatView().loadOlder();
    await until(() => items(second).length === 300, 'the messages on the device');
    expect(codes(items(second).find(({ message }) => message.seq === 30)?.message)).toEqual(['done Imre']);
  });

  it('CHAT-5 a reaction is no message: nothing is unread by it and the row of the list stays where it is', async () => {
    const device = await opened();
    const before = device.runtime.chats.get().items[0]?.chat;
    server.react(OTHER, of(3));
    await settle();
    const after = device.runtime.chats.get().items[0]?.chat;
    expect(after?.my.unread).toBe(before?.my.unread);
    expect(after?.last_message).toEqual(before?.last_message);
  });

  it('CHAT-11 OFF-1 a pin without a network is shown at once and sent later, and one that is refused is set aside', async () => {
    const device = await opened();
    goOffline(device);
    const pin = (isPinned: boolean) => device.chatView().change({ type: 'pin', messageId: of(2).id, isPinned });
    await pin(true);
    await settle();
    expect(items(device).map(({ message }) => message.pinned?.name)).toEqual([undefined, 'Nuru', undefined]);
    expect(items(device)[1]?.isUnsaved).toBe(false);
    expect(of(2).pinned).toBeUndefined();
    goOnline(device);
    await until(() => of(2).pinned?.user_id === ME, 'the server to have it');
    server.api.on(setPin, () => {
      throw new FakeRefusal('conflict');
    });
    await pin(false);
    await until(() => items(device)[1]?.refused?.length === 1, 'the refusal');
    expect(items(device)[1]?.message.pinned?.name).toBe('Nuru');
  });

  it('CHAT-10 OFF-1 whom a message calls is kept with it over a killed tab, shown, and sent as ids; a kind that is not known is text', async () => {
    const tabs = createFakeTabs();
    const first = await opened(tabs);
    goOffline(first);
    const imre = { kind: 'user', id: OTHER, name: 'Imre' };
    const ofALaterBuild = { kind: 'unit', id: CHAT, name: 'MED 3A' };
    await first.chatView().send('@Imre and @MED 3A, K 6.8', { mentions: [imre, ofALaterBuild] });
    first.kill();
    const second = await openDevice(server, tabs);
    devices.push(second);
    second.open();
    const pending = () => second.chatView().items.flatMap((item) => (item.type === 'pending' ? [item.pending] : []));
    await until(() => pending().length === 1, 'the kept message');
    expect(pending()[0]?.mentions).toEqual([imre, ofALaterBuild]);
    goOnline(second);
    await until(() => server.messages.length === 4, 'the server to have it');
    expect(server.messages[3]?.mentions).toEqual([{ kind: 'user', id: OTHER, name: 'Imre' }]);
  });

  it('EXAM-1 OFF-1 what a message cites is kept with it over a killed tab, and sent as the version that was read', async () => {
    const tabs = createFakeTabs();
    const first = await opened(tabs);
    goOffline(first);
    const cited = { examination_id: CHAT, field: 'potassium', report_version: 2 };
    const said = { title: 'Renal profile', label: 'Potassium', value: '6.8', unit: 'mmol/L', interpretation: null };
    await first.chatView().send('Repeat it', { citations: [{ ...cited, ...said }] });
    first.kill();
    const second = await openDevice(server, tabs);
    devices.push(second);
    second.open();
    const pending = () => second.chatView().items.flatMap((item) => (item.type === 'pending' ? [item.pending] : []));
    await until(() => pending().length === 1, 'the kept message');
    expect(pending()[0]).toMatchObject({ body: 'Repeat it', citations: [{ value: '6.8' }] });
    goOnline(second);
    await until(() => server.messages.length === 4, 'the server to have it');
    expect(server.messages[3]).toMatchObject({ body: 'Repeat it', citations: [cited] });
    expect(server.messages[3]?.citations?.[0]?.value).toBe('');
  });

  describe('an edit and a deletion', () => {
    const mine = async (device: FakeDevice) => {
      await device.chatView().send('Insulin 10 unit');
      await until(() => server.messages.length === 4, 'the message');
      await settle();
      return of(4);
    };
    const last = (device: FakeDevice) => items(device).at(-1);

    it('CHAT-11 OFF-1 two edits and a deletion without a network stand at once and go out in that order', async () => {
      const device = await opened();
      const { id: messageId } = await mine(device);
      goOffline(device);
      await device.chatView().change({ type: 'edit', messageId, body: 'Insulin 10 units', version: 1 });
      await settle();
      expect(last(device)).toMatchObject({ message: { body: 'Insulin 10 units', version: 2 }, isUnsaved: true });
      await device.chatView().change({ type: 'edit', messageId, body: 'Insulin 12 units', version: 2 });
      await device.chatView().change({ type: 'delete', messageId, reason: 'Wrong patient' });
      await settle();
      expect(last(device)).toMatchObject({ message: { body: '', deleted: { reason: 'Wrong patient' } } });
      goOnline(device);
      await until(() => of(4).deleted !== undefined, 'the server to have it');
      expect(of(4)).toMatchObject({ version: 3, change_seq: 3 });
      await until(() => last(device)?.isUnsaved !== true, 'nothing to wait for');
      expect(last(device)?.refused ?? []).toEqual([]);
    });

    it('CHAT-11 what was changed elsewhere meanwhile is shown, and the text that was refused is kept beside it', async () => {
      const device = await opened();
      const message = await mine(device);
      goOffline(device);
      await device.chatView().change({ type: 'edit', messageId: message.id, body: 'Insulin 12 units', version: 1 });
      server.edit(message, 'Insulin 8 units');
      goOnline(device);
      await until(() => (last(device)?.refused ?? []).length === 1, 'the refusal');
      expect(last(device)).toMatchObject({
        message: { body: 'Insulin 8 units' },
        refused: [{ payload: { body: 'Insulin 12 units' }, reason: 'Someone changed this in the meantime.' }],
        isUnsaved: false,
      });
      await device.chatView().discard(last(device)?.refused?.[0]?.clientId ?? '');
      expect(last(device)?.refused).toBeUndefined();
    });

    it('CHAT-11 A32 a deleted text is gone from the copy on the device, the quotes and the list', async () => {
      const device = await opened();
      const message = await mine(device);
      await until(async () => (await device.store.messages(CHAT, { limit: 9 })).length === 4, 'the copy');
      await device.chatView().change({ type: 'delete', messageId: message.id, reason: 'Wrong patient' });
      await until(() => of(4).deleted !== undefined, 'the server to have it');
      await settle();
      const kept = async () =>
        JSON.stringify([await device.store.messages(CHAT, { limit: 9 }), await device.store.chats()]);
      await until(async () => !(await kept()).includes('Insulin'), 'the copy without it');
      expect(device.runtime.chats.get().items[0]?.chat.last_message).toMatchObject({ excerpt: '', is_deleted: true });
    });
  });

  describe('a reply', () => {
    const answers = (device: FakeDevice) =>
      device.chatView().items.map((item) => {
        if (item.type === 'pending') return [item.pending.body, item.pending.replyToSeq];
        return item.type === 'message' ? [item.message.body, item.message.reply_to_seq ?? null] : ['gap', null];
      });

    it('CHAT-11 OFF-1 says what it answers from the moment it is written, also over a killed tab', async () => {
      const tabs = createFakeTabs();
      const first = await opened(tabs);
      goOffline(first);
      await first.chatView().send('I do.', { replyTo: of(2) });
      await until(() => answers(first).length === 4, 'the pending reply');
      expect(answers(first).at(-1)).toEqual(['I do.', 2]);
      first.kill();
      const second = await openDevice(server, tabs);
      devices.push(second);
      second.open();
      goOnline(second);
      await until(() => server.messages.length === 4, 'the server to have it');
      expect(server.messages.at(-1)).toMatchObject({ reply_to: of(2).id, reply_to_seq: 2 });
      await until(() => answers(second).at(-1)?.[1] === 2, 'the reply');
    });

    it('CHAT-6 CHAT-11 asks for a quoted message that is not held, once, and says so where there is none for me', async () => {
      for (let n = 4; n <= 320; n++) server.say(OTHER, `m${n}`, { isSilent: true });
      Object.assign(server.participants.find(({ user_id }) => user_id === ME) ?? {}, {
        delivered_seq: 320,
        read_seq: 320,
      });
      const device = await opened();
      const quotes = () => [...device.chatView().quotes].map(([seq, message]) => [seq, message?.body]);
      for (let n = 0; n < 3; n++) device.chatView().loadQuote(5);
      device.chatView().loadQuote(300);
      device.chatView().loadQuote(999);
      await until(() => quotes().length === 2, 'the quotes');
      expect(quotes()).toEqual([
        [5, 'm5'],
        [999, undefined],
      ]);
      expect(server.api.asked.filter((line) => line.includes('around')).length).toBe(2);
      server.react(OTHER, of(5));
      await settle();
      expect(codes(device.chatView().quotes.get(5) ?? undefined)).toEqual(['done Imre']);
    });

    it('CHAT-11 CHAT-13 leads to a message far back, with a gap before what was held, and says when it cannot', async () => {
      for (let n = 4; n <= 600; n++) server.say(OTHER, `m${n}`, { isSilent: true });
      Object.assign(server.participants.find(({ user_id }) => user_id === ME) ?? {}, {
        delivered_seq: 600,
        read_seq: 600,
      });
      const device = await opened();
      await device.chatView().show(100);
      expect(items(device).some(({ message }) => message.seq === 100)).toBe(true);
      expect(device.chatView().items.filter(({ type }) => type === 'gap')).toEqual([
        { type: 'gap', afterSeq: 149, beforeSeq: 401 },
      ]);
      // Said before I came, or never: the answer is the same.
      await expect(device.chatView().show(900)).rejects.toBe('no such message');
      goOffline(device);
      await expect(device.chatView().show(200)).rejects.toThrow();
      await device.chatView().show(100);
    });
  });
});
