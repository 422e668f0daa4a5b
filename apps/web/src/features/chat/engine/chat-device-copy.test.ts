import 'fake-indexeddb/auto';
import { openDeviceStore } from '@wardline/client/store/open-device-store.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import type { Message } from '@wardline/contract/chat/chat.ts';
import { expect, it } from 'vitest';
import { ana, edith, fakeMessage } from '#/testing/fake-chats.ts';
import { createChatDeviceCopy, messageRow } from './chat-device-copy.ts';

it('CEN-9 OFF-1 a device keeps what can be done about a line, and reads what it kept before lines had that', async () => {
  const log = createSilentLog();
  const key = btoa(String.fromCharCode(...new Uint8Array(32).fill(7)));
  const store = await openDeviceStore({ userId: ana.id, log, isOwnDevice: true, fetchKey: async () => key });
  const plain = fakeMessage(1, ana, 2, 'created the chat', 'system');
  const raised: Message = {
    ...fakeMessage(2, ana, 1, 'Alert: ICU is full', 'system'),
    act: { kind: 'census.alert', id: ana.id },
  };
  const place = { type: 'put-meta', name: `thread/${edith.id}`, chatId: edith.id, value: { cursor: 2 }, isCache: true };
  await store.write([messageRow(plain), messageRow(raised), { ...place, type: 'put-meta' }]);
  const kept = await createChatDeviceCopy(store, edith.id, log).load(10, null);
  expect(kept?.messages).toEqual([plain, raised]);
});
