import 'fake-indexeddb/auto';
import { fakeTime, until } from '@wardline/client/testing/settle.ts';
import { type Chat, type Message, sendDirectMessage, sendMessage, sync } from '@wardline/contract/chat/chat.ts';
import { getUpload, getUploadLimits } from '@wardline/contract/chat/uploads.ts';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UrgentPayload } from '#/features/chat/core/chat-view.ts';
import type { MessagePayload } from '#/features/chat/engine/send-message.ts';
import { createFakeChatServer, FACILITY, ME, OTHER } from '#/features/chat/testing/fake-chat-server.ts';
import { type FakeDevice, openDevice } from '#/features/chat/testing/fake-device.ts';
import { directChatId } from './direct-chat-id.ts';

const noNetwork = () => Promise.reject(new TypeError('fetch failed'));

interface Said {
  readonly client_id: string;
  readonly body: string;
  readonly urgent?: unknown;
  readonly attachments?: readonly string[] | undefined;
}

describe('CHAT-17 the first message to a person', () => {
  let device: FakeDevice;
  beforeEach(() => {
    fakeTime();
    globalThis.indexedDB = new IDBFactory();
  });
  afterEach(() => {
    device.kill();
    vi.useRealTimers();
  });

  /** A server on which the two have no chat until one writes to the other. */
  async function open() {
    const server = createFakeChatServer();
    const chatId = directChatId(FACILITY, ME, OTHER);
    const asked: string[] = [];
    let stored: Message[] = [];
    let chat: Chat | null = null;
    const store = (by: string, { client_id, body, urgent, attachments }: Said): Message => {
      const calls = urgent ? `, calls ${JSON.stringify(urgent)}` : '';
      asked.push(`${by}: ${body}${calls}${attachments ? `, with ${attachments}` : ''}`);
      const template = server.say(ME, body, { isSilent: true, clientId: client_id });
      const message = { ...template, chat_id: chatId };
      stored = [...stored, message];
      return message;
    };
    server.api.on(sync, () => ({
      chats: chat ? [chat] : [],
      removed_chat_ids: [],
      reset: false,
      cursor: `at${stored.length}`,
      has_more: false,
    }));
    server.api.on(sendDirectMessage, ({ params, body }) => {
      expect(params).toEqual({ facility: FACILITY, user: OTHER });
      const message = store('to the person', body);
      const direct = { user_id: OTHER, name: 'Imre', title: null, is_member: true };
      chat = { ...server.chat(), id: chatId, kind: 'direct', title: 'Imre', direct };
      return { chat, message };
    });
    server.api.on(sendMessage, ({ params, body }) => {
      expect(params.chat).toBe(chatId);
      return store('to the chat', body);
    });
    device = await openDevice(server);
    await until(() => device.isRead() && device.runtime.chats.get().status === 'ready', 'the list of chats');
    const write = (clientId: string, body: string, urgent?: UrgentPayload, files?: MessagePayload['files']) =>
      device.runtime.unsent.add({
        clientId,
        lane: chatId,
        payload: {
          ...(urgent ? { body: '', urgent } : { body }),
          ...(files && { files }),
          direct: { facilityId: FACILITY, userId: OTHER, name: 'Imre' },
        },
        writtenAt: '2026-01-01T08:00:00Z',
      });
    return { server, chatId, asked, write };
  }

  const id = (number: number) => `01980000-0000-7000-8000-00000000010${number}`;

  it('CHAT-17 makes the chat, and the next one goes to the chat that is there', async () => {
    const { chatId, asked, write } = await open();
    await write(id(1), 'Are you on tonight?');
    await until(() => device.runtime.chats.get().items.length === 1, 'the chat in the list');
    await write(id(2), 'And tomorrow?');
    await until(() => asked.length === 2, 'the second message');
    expect(asked).toEqual(['to the person: Are you on tonight?', 'to the chat: And tomorrow?']);
    expect(device.runtime.chats.get().items[0]?.chat).toMatchObject({ id: chatId, title: 'Imre' });
  });

  it('CHAT-3 CHAT-17 waits on the device without a network, is told by its name, and goes out in order', async () => {
    const { server, asked, write } = await open();
    server.api.around = noNetwork;
    await write(id(1), 'one');
    await write(id(2), 'two');
    expect(device.outbox.entries().map(({ text }) => text)).toEqual([
      { title: 'Imre', text: 'one', href: `/chat/f-${FACILITY}/p-${OTHER}` },
      { title: 'Imre', text: 'two', href: `/chat/f-${FACILITY}/p-${OTHER}` },
    ]);
    server.api.around = (_request, go) => go();
    device.outbox.flush();
    await until(() => device.runtime.unsent.get().length === 0, 'both to be sent');
    expect(asked).toEqual(['to the person: one', 'to the chat: two']);
  });

  it('CHAT-17 URG-1 an urgent one makes the chat too, and one after it goes to the chat that is there', async () => {
    const { server, asked, write } = await open();
    const targets = { people: [OTHER], role_id: null };
    const urgent = { body: 'K 6.9, please come', asked: { targets } };
    server.api.around = noNetwork;
    await write(id(1), '', urgent);
    await write(id(2), '', urgent);
    expect(device.outbox.entries().map(({ text }) => text?.text)).toEqual(['K 6.9, please come', 'K 6.9, please come']);
    server.api.around = (_request, go) => go();
    device.outbox.flush();
    await until(() => device.runtime.unsent.get().length === 0, 'both to be sent');
    const said = `K 6.9, please come, calls ${JSON.stringify({ targets })}`;
    expect(asked).toEqual([`to the person: ${said}`, `to the chat: ${said}`]);
  });

  it('CHAT-14 CHAT-17 has its files with it, once they are there; the one after it goes to the chat', async () => {
    const { server, chatId, asked, write } = await open();
    const files = ['f1', 'f2'].map((name) => ({ id: name, name: `${name}.pdf`, size: 9, type: 'application/pdf' }));
    const send = (clientId: string, file: (typeof files)[number] | undefined) =>
      write(clientId, '', undefined, file && { body: `Look at ${file.name}`, list: [file] });
    const known: Record<string, string> = { f1: id(8), f2: id(9) };
    await device.store.write(
      files.map(({ id: name }) => ({
        ...{ type: 'put-meta' as const, name: `upload/${name}`, value: known[name], chatId, isCache: false },
      })),
    );
    let isThere = false;
    server.api.on(getUpload, ({ params }) => {
      if (!isThere) throw new TypeError('fetch failed');
      return { id: params.upload, state: 'ready' as const, offset: 9, length: 9 };
    });
    server.api.on(getUploadLimits, () => ({ max_bytes: 100, kinds: ['pdf'] }));
    await send(id(1), files[0]);
    await send(id(2), files[1]);
    expect(device.outbox.entries().map(({ text }) => text?.text)).toEqual(['Look at f1.pdf', 'Look at f2.pdf']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked).toEqual([]);
    isThere = true;
    device.outbox.flush();
    await until(() => device.runtime.unsent.get().length === 0, 'both to be sent');
    expect(asked).toEqual([
      `to the person: Look at f1.pdf, with ${known['f1']}`,
      `to the chat: Look at f2.pdf, with ${known['f2']}`,
    ]);
  });

  it('CHAT-17 has the id that the server gives', () => {
    const facility = '0198f000-0000-7000-8000-000000000001';
    const [one, other] = ['0198f000-0000-7000-8000-00000000000b', '0198f000-0000-7000-8000-00000000000a'];
    expect(directChatId(facility, one, other)).toBe('3d408de4-cd88-5e4a-bb3f-830a152473da');
    expect(directChatId(facility, other, one)).toBe(directChatId(facility, one, other));
  });
});
