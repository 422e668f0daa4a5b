import 'fake-indexeddb/auto';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import { createFakeTabs } from '@wardline/client/testing/fake-tabs.ts';
import { fakeTime, settle, until } from '@wardline/client/testing/settle.ts';
import { forwardMessage } from '@wardline/contract/chat/chat-changes.ts';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  CHAT,
  createFakeChatServer,
  type FakeChatServer,
  idOf,
  ME,
  OTHER,
} from '#/features/chat/testing/fake-chat-server.ts';
import { type FakeDevice, openDevice } from '#/features/chat/testing/fake-device.ts';

describe('CHAT-11 a forward in the outbox', () => {
  let server: FakeChatServer;
  let devices: FakeDevice[];
  beforeEach(() => {
    fakeTime();
    globalThis.indexedDB = new IDBFactory();
    server = createFakeChatServer();
    server.say(OTHER, 'K 6.9', { isSilent: true });
    devices = [];
  });
  afterEach(() => {
    for (const device of devices) device.kill();
    vi.useRealTimers();
  });

  const source = { chat: idOf(0xc2), message: idOf(0xc3) };
  const forwarded = {
    sender: { id: OTHER, name: 'Imre', title: null },
    sent_at: '2026-01-01T07:00:00Z',
    patient: { name: 'Edith Maron', identifier: '40-118-236', born_on: null },
  };
  const open = async (tabs = createFakeTabs()) => {
    const device = await openDevice(server, tabs);
    devices.push(device);
    device.open();
    await until(() => device.isRead() && device.chatView().status === 'ready', 'the chat');
    return device;
  };
  const forward = (device: FakeDevice, clientId: string) =>
    device.runtime.unsent.add({
      clientId,
      lane: CHAT,
      payload: { body: '', forward: { source, body: 'as this device has it', forwarded } },
      writtenAt: '2026-01-01T08:00:00Z',
    });
  /** The server has another text by now. */
  const answer = () =>
    server.api.on(forwardMessage, ({ body }) => {
      expect(body.source).toEqual(source);
      const message = server.say(ME, 'as the server has it', { isSilent: true, clientId: body.client_id });
      return { ...message, forwarded };
    });
  const last = (device: FakeDevice) => device.chatView().items.at(-1);

  it('OFF-1 waits over a killed tab with whose words they are and about whom, and is then as the server has it', async () => {
    answer();
    const tabs = createFakeTabs();
    const first = await open(tabs);
    server.api.around = () => Promise.reject(new TypeError('no network'));
    await forward(first, idOf(1));
    first.kill();
    const second = await open(tabs);
    await until(() => last(second)?.type === 'pending', 'what waits');
    expect(last(second)).toMatchObject({ pending: { body: 'as this device has it', forwarded } });
    expect(second.outbox.entries()[0]?.text?.text).toBe('as this device has it');
    server.api.around = (_request, go) => go();
    second.outbox.flush();
    await until(() => last(second)?.type === 'message', 'the server to have it');
    await settle();
    expect(last(second)).toMatchObject({ message: { body: 'as the server has it', forwarded } });
    expect(second.runtime.chats.get().items[0]?.chat.last_message?.excerpt).toBe(
      'Forwarded about Edith Maron: as the server has it',
    );
    expect(server.messages).toHaveLength(2);
  });

  it('CHAT-24 is set aside with the reason where it is refused, and what was written after it goes on', async () => {
    const device = await open();
    server.api.on(forwardMessage, () => {
      throw new FakeRefusal('unprocessable');
    });
    await forward(device, idOf(1));
    await device.chatView().send('goes out all the same');
    await until(() => server.messages.length === 2, 'the other message');
    await settle();
    expect(last(device)).toMatchObject({ type: 'pending', pending: { state: 'failed', forwarded } });
  });
});
