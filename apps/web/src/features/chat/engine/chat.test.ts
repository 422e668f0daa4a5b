import { isDeepStrictEqual } from 'node:util';
import 'fake-indexeddb/auto';
import { RefusedByFrame } from '@wardline/client/testing/fake-line.ts';
import { createFakeTabs } from '@wardline/client/testing/fake-tabs.ts';
import { fakeTime, settle, until } from '@wardline/client/testing/settle.ts';
import { channelName } from '@wardline/contract/channel.ts';
import { chatChannel, privateChatChannel } from '@wardline/contract/chat/chat.ts';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  CHAT,
  createFakeChatServer,
  type FakeChatServer,
  ME,
  OTHER,
} from '#/features/chat/testing/fake-chat-server.ts';
import { type FakeDevice, lines, openDevice } from '#/features/chat/testing/fake-device.ts';

const noNetwork = () => Promise.reject(new TypeError('fetch failed'));
const through = (_request: unknown, go: () => Promise<Response>) => go();

describe('a chat', () => {
  let server: FakeChatServer;
  let devices: FakeDevice[];
  beforeEach(() => {
    fakeTime();
    globalThis.indexedDB = new IDBFactory();
    server = createFakeChatServer();
    devices = [];
  });
  afterEach(() => {
    for (const device of devices) device.kill();
    vi.useRealTimers();
  });
  const say = (count: number, sender = OTHER, isSilent = true) => {
    for (let index = 0; index < count; index += 1) server.say(sender, `m${server.messages.length + 1}`, { isSilent });
  };
  const device = async (...rest: [Parameters<typeof openDevice>[1]?, boolean?, number?]): Promise<FakeDevice> => {
    const made = await openDevice(server, ...rest);
    devices.push(made);
    return made;
  };
  const opened = async (...rest: Parameters<typeof device>): Promise<FakeDevice> => {
    const made = await device(...rest);
    made.open();
    await until(() => made.chatView().status === 'ready' && !made.chatView().isFromDevice, 'the chat');
    await settle();
    return made;
  };
  const keeps = (made: FakeDevice, count: number) =>
    until(async () => (await made.store.messages(CHAT, { limit: 9999 })).length === count, 'the copy on the device');
  const bodies = (made: FakeDevice) => lines(made.chatView());
  const whole = () => server.messages.map(({ seq, body }) => `${seq} ${body}`);

  it('F-U1 hears a chat by its private channel while the presence channel is full, and is seen again when there is room', async () => {
    const presence = channelName(chatChannel, CHAT);
    const { answer } = server.realtime;
    let isFull = true;
    server.realtime.answer = (name) => {
      if (name === presence && isFull) throw new RefusedByFrame(4004);
      return answer(name);
    };
    const one = await opened();
    expect(one.chatView().present).toEqual([]);
    const message = server.say(OTHER, 'to all', { isSilent: true });
    server.realtime.publish(channelName(privateChatChannel, CHAT), 'App\\Events\\MessageSent', { message });
    await settle();
    expect(bodies(one)).toEqual(whole());

    server.realtime.drop();
    say(1);
    isFull = false;
    server.realtime.restore();
    await until(() => bodies(one).length === 2, 'what was missed');
    expect(one.chatView().present).not.toEqual([]);
    server.say(OTHER, 'once');
    await settle();
    expect(bodies(one)).toEqual(whole());
  });

  it('CHAT-4 subscribes before it fetches, and shows live messages that came meanwhile in order', async () => {
    say(3);
    const order: string[] = [];
    const answer = server.realtime.answer;
    server.realtime.answer = (name) => {
      if (name.includes('chat.')) order.push('subscribed');
      return answer(name);
    };
    server.api.around = async ({ line }, go) => {
      if (line.includes('/messages')) {
        order.push('fetched');
        const response = await go();
        server.say(OTHER, 'meanwhile');
        await settle(3);
        return response;
      }
      return await go();
    };
    const made = await opened();
    expect(order.slice(0, 2)).toEqual(['subscribed', 'fetched']);
    await until(() => made.chatView().items.length === server.messages.length);
    expect(bodies(made)).toEqual(whole());
  });

  it('CHAT-4 fetches what lies between when an event is not the next, and shows a duplicate once', async () => {
    say(2);
    const made = await opened();
    say(3);
    const last = server.say(OTHER, 'last');
    await until(() => made.chatView().items.length === 6);
    server.realtime.publish(`presence-chat.${CHAT}`, 'App\\Events\\MessageSent', { message: last });
    await settle();
    expect(bodies(made)).toEqual(whole());
    expect(server.api.asked.some((line) => line.includes('after=2'))).toBe(true);
  });

  it('CHAT-4 R5 after a reconnect asks for exactly what is missing', async () => {
    say(2);
    const made = await opened();
    server.realtime.drop();
    say(4);
    await settle();
    expect(made.chatView().present).toEqual([]);
    server.api.asked.length = 0;
    server.realtime.restore();
    await until(() => made.chatView().items.length === 6);
    expect(bodies(made)).toEqual(whole());
    expect(server.api.asked.filter((line) => line.includes('/messages'))).toEqual([
      `GET /api/chats/${CHAT}/messages?after=2&limit=200`,
    ]);
  });

  it('CHAT-4 far behind: the newest page, a gap that is kept on the device, and scrolling back fills it', async () => {
    say(5);
    const first = await opened();
    expect(bodies(first)).toHaveLength(5);
    await keeps(first, 5);
    first.kill();
    say(900);
    Object.assign(server.participants[0] ?? {}, { read_seq: 905, delivered_seq: 905 });
    const made = await opened();
    expect(bodies(made)[5]).toBe('gap 5-706');
    expect(bodies(made)).toHaveLength(5 + 1 + 200);
    await keeps(made, 205);
    made.kill();
    const again = await device();
    server.api.around = noNetwork;
    again.open();
    await until(() => again.chatView().status === 'ready');
    again.chatView().loadOlder();
    await until(() => bodies(again).includes('gap 5-706'));
    server.api.around = through;
    while (bodies(again).some((line) => line.startsWith('gap'))) {
      const gap = again.chatView().items.find((item) => item.type === 'gap');
      const before = again.chatView().items.length;
      if (gap?.type === 'gap') again.chatView().fillGap(gap.beforeSeq);
      await until(() => again.chatView().items.length !== before);
    }
    expect(bodies(again)).toEqual(whole());
    expect(again.chatView().hasOlder).toBe(false);
  });

  it('CHAT-4 opens around the first unread message when more than a page is unread', async () => {
    say(700);
    const me = server.participants.find((person) => person.user_id === ME);
    if (me !== undefined) me.read_seq = 300;
    const made = await opened();
    expect(made.chatView().firstUnreadSeq).toBe(301);
    expect(bodies(made)).toContain('301 m301');
    expect(bodies(made)).toContain('gap 400-501');
    expect(bodies(made).at(-1)).toBe('700 m700');
  });

  it('F-U4 NAV-9 a chat that was left far back opens with the messages there, from the server and from the device', async () => {
    say(900);
    Object.assign(server.participants[0] ?? {}, { read_seq: 900, delivered_seq: 900 });
    const made = await opened(createFakeTabs(), true, 300);
    expect(bodies(made)).toContain('300 m300');
    expect(bodies(made)).toContain('gap 399-701');
    // Whoever reads on comes from above: what follows is fetched, not what lies at the other end of the hole.
    made.chatView().fillGap(701);
    await until(() => bodies(made).includes('gap 599-701'));
    await keeps(made, 600);
    made.kill();
    server.api.around = noNetwork;
    const again = await device(createFakeTabs(), true, 300);
    again.open();
    await until(() => again.chatView().status === 'ready');
    expect(bodies(again)).toContain('300 m300');
    expect(bodies(again).at(-1)).toBe('900 m900');
  });

  it('F-U4 where more than a page is unread, the first unread message goes before the place that was left', async () => {
    say(900);
    const me = server.participants.find((person) => person.user_id === ME);
    if (me !== undefined) me.read_seq = 500;
    const made = await opened(createFakeTabs(), true, 100);
    expect(made.chatView().firstUnreadSeq).toBe(501);
    expect(bodies(made)).toContain('501 m501');
    expect(bodies(made)).not.toContain('100 m100');
  });

  it('CHAT-1 CHAT-2 my message stands last while it waits, and is never shown twice nor not at all', async () => {
    say(1);
    const made = await opened();
    const seen: number[] = [];
    made.runtime.chatView(CHAT).subscribe(() => seen.push(bodies(made).filter((line) => line.includes('mine')).length));
    let isHeld = true;
    server.api.around = async ({ line }, go) => {
      while (isHeld && line.startsWith('POST')) await settle(1);
      return await go();
    };
    await made.chatView().send(' mine ');
    say(1, OTHER, false);
    await until(() => bodies(made).join() === '1 m1,2 m2,sending mine');
    isHeld = false;
    await until(() => bodies(made).join() === '1 m1,2 m2,3 mine');
    await settle();
    const from = seen.indexOf(1);
    expect(seen.slice(from).every((count) => count === 1)).toBe(true);
  });

  it('CHAT-1 the event before the reply shows my message once', async () => {
    const made = await opened();
    server.api.around = async ({ line }, go) => {
      const response = await go();
      const message = server.messages.at(-1);
      if (line.startsWith('POST') && message !== undefined) {
        server.realtime.publish(`presence-chat.${CHAT}`, 'App\\Events\\MessageSent', { message });
        await settle();
        expect(bodies(made)).toEqual(['1 mine']);
      }
      return response;
    };
    await made.chatView().send('mine');
    await until(() => made.outbox.count.get().waiting === 0);
    expect(bodies(made)).toEqual(['1 mine']);
  });

  it('R4 an acknowledgement lost after the commit makes no double', async () => {
    const made = await opened();
    let losses = 3;
    server.api.around = async ({ line }, go) => {
      const response = await go();
      if (line.startsWith('POST') && losses > 0) {
        losses -= 1;
        throw new TypeError('connection reset');
      }
      return response;
    };
    for (const text of ['a', 'b', 'c']) await made.chatView().send(text);
    await until(() => made.outbox.count.get().waiting === 0);
    expect(bodies(made)).toEqual(['1 a', '2 b', '3 c']);
    expect(server.messages).toHaveLength(3);
  });

  it('CHAT-3 R6 20 messages written offline, a killed tab, a reconnect: each once, in order', async () => {
    const tabs = createFakeTabs();
    const first = await opened(tabs);
    server.api.around = noNetwork;
    server.realtime.drop();
    first.goOnline(false);
    for (let index = 0; index < 20; index += 1) await first.chatView().send(`w${index}`);
    expect(first.outbox.count.get()).toMatchObject({ waiting: 20, isDurable: true });
    first.kill();
    const second = await device(tabs);
    second.open();
    await until(() => second.chatView().items.length === 20);
    expect(bodies(second).every((line) => /^(waiting|sending) w/.test(line))).toBe(true);
    server.api.around = through;
    server.realtime.restore();
    await until(() => server.messages.length === 20 && second.outbox.count.get().waiting === 0);
    await until(() => bodies(second).every((line) => /^\d/.test(line)));
    expect(bodies(second)).toEqual(Array.from({ length: 20 }, (_, index) => `${index + 1} w${index}`));
  });

  it('CHAT-3 a refused message says why, and the next one goes', async () => {
    const made = await opened();
    server.api.around = async ({ line, init }, go) =>
      line.startsWith('POST') && String(init.body).includes('bad')
        ? Response.json({ message: 'The given data was invalid.', errors: { body: ['Not this.'] } }, { status: 422 })
        : await go();
    await made.chatView().send('bad');
    await made.chatView().send('good');
    await until(() => bodies(made).join() === '1 good,failed bad');
    const failed = made.chatView().items.at(-1);
    expect(failed?.type === 'pending' && failed.pending.reason).toBe('Not this.');
    expect(made.runtime.chats.get().items[0]).toMatchObject({ failed: 1, pending: 0 });
  });

  it('CHAT-5 markers only rise, are sent once for many, and wait while there is no network', async () => {
    say(5);
    const made = await opened();
    await until(() => server.participants[0]?.delivered_seq === 5);
    server.api.around = noNetwork;
    for (const seq of [2, 4, 3]) made.chatView().markRead(seq);
    expect(made.runtime.chats.get().items[0]?.chat.my.unread).toBe(1);
    await vi.advanceTimersByTimeAsync(2000);
    const kept = { delivered_seq: 5, read_seq: 4 };
    await until(async () => isDeepStrictEqual(await made.store.meta(`markers/${CHAT}`), kept), 'the kept markers');
    made.kill();
    server.api.around = through;
    server.api.asked.length = 0;
    await opened();
    await until(() => server.participants[0]?.read_seq === 4);
    expect(server.api.asked.filter((line) => line.startsWith('PUT'))).toHaveLength(1);
  });

  it('F-U5 shows who may do what now when a line tells of it, or something was done about it here', async () => {
    const made = await opened();
    const access = () => made.chatView().participants.map((person) => person.access);
    const other = server.participants.find((person) => person.user_id === OTHER);
    Object.assign(other ?? {}, { access: 'manage' });
    server.say(ME, 'gave Imre manage access', { kind: 'system' });
    await until(() => access().includes('manage'), 'what the line tells of');
    Object.assign(other ?? {}, { access: 'read' });
    server.say(OTHER, 'gave up: no answer from the laboratory');
    await settle();
    expect(access()).not.toContain('read');
    made.chatView().refreshPeople();
    await until(() => access().includes('read'), 'what was done here');
  });

  it('F-U5 a chat that was left is taken off the device', async () => {
    say(3);
    const made = await opened();
    await keeps(made, 3);
    server.removeMe();
    made.chatView().refreshPeople();
    await until(() => made.chatView().status === 'not-found');
    await keeps(made, 0);
  });

  it('LOG-1 that the people of a chat cannot be fetched is a line of the log, but not while there is no network', async () => {
    const warned = async (answer: () => Promise<Response>) => {
      let asked = 0;
      server.api.around = async ({ line }, go) => {
        if (!line.includes('/participants')) return await go();
        asked += 1;
        return await answer();
      };
      const made = await opened();
      await until(() => asked > 0);
      await settle();
      // How often it is asked again, while the clock is moved on, depends on the machine.
      return new Set(made.log.lines.filter(({ level }) => level === 'warn').map(({ line }) => line));
    };
    expect(await warned(noNetwork)).toEqual(new Set());
    expect(await warned(async () => new Response('<html>', { status: 400 }))).toEqual(
      new Set(['The people of a chat could not be fetched']),
    );
  });

  it('CHAT-5 receipts follow the others’ markers and never fall', async () => {
    const made = await opened();
    await made.chatView().send('mine');
    await until(() => made.outbox.count.get().waiting === 0);
    const tell = (delivered_seq: number, read_seq: number) =>
      server.realtime.publish(`presence-chat.${CHAT}`, 'App\\Events\\MarkersChanged', {
        chat_id: CHAT,
        user_id: OTHER,
        head_seq: 1,
        delivered_seq,
        read_seq,
      });
    const receipt = () => {
      const [item] = made.chatView().items;
      return item?.type === 'message' ? item.receipt : null;
    };
    expect(receipt()).toEqual({ state: 'sent' });
    tell(1, 0);
    await settle();
    expect(receipt()).toEqual({ state: 'delivered', count: 1 });
    tell(1, 1);
    tell(0, 0);
    await settle();
    expect(receipt()).toEqual({ state: 'read', count: 1, of: 1 });
  });

  it('CHAT-6 a lost membership empties the chat and the device’s copy', async () => {
    say(3);
    const made = await opened();
    await keeps(made, 3);
    server.removeMe();
    server.realtime.publish(`private-App.Models.User.${ME}`, 'App\\Events\\MembershipChanged', {
      facility_id: server.chat().facility_id,
      chat_id: CHAT,
      change: 'removed',
    });
    await until(() => made.chatView().status === 'not-found');
    expect(made.chatView().items).toEqual([]);
    await keeps(made, 0);
    expect(await made.store.chats()).toEqual([]);
  });

  it('CHAT-6 a refused subscription or fetch empties them as well', async () => {
    say(3);
    const made = await opened();
    server.removeMe();
    server.realtime.drop();
    server.realtime.restore();
    await until(() => made.chatView().status === 'not-found');
    await keeps(made, 0);
  });

  it('CHAT-12 typing is whispered once per 3 s, shown with a name and gone after 6 s', async () => {
    const made = await opened();
    const heard: string[] = [];
    const publish = server.realtime.publish;
    server.realtime.publish = (name, event, data, except) => {
      heard.push(event);
      publish(name, event, data, except);
    };
    for (let index = 0; index < 4; index += 1) {
      made.chatView().noteTyping();
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(heard).toEqual(['client-typing', 'client-typing']);
    expect(made.chatView().present).toEqual([{ id: OTHER, name: 'Imre', title: null }]);
  });

  it('PWA-5 a device’s copy is shown without a network and says so', async () => {
    say(3);
    const before = await opened();
    await keeps(before, 3);
    before.kill();
    server.api.around = noNetwork;
    server.realtime.drop();
    const made = await device();
    made.open();
    await until(() => made.chatView().items.length === 3 && made.chatView().status === 'ready');
    expect(made.chatView()).toMatchObject({ isFromDevice: true });
    await until(() => made.runtime.chats.get().status === 'ready');
    expect(made.runtime.chats.get()).toMatchObject({ status: 'ready', isFromDevice: true });
  });
});
