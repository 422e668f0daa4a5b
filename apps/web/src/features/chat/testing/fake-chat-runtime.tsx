import { createSource } from '@wardline/client/observable.ts';
import type { NewOutboxItem } from '@wardline/client/outbox/outbox.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import type { MessagePayload } from '#/features/chat/engine/send-message.ts';
import type { ChatRuntime, ConnectionView } from '#/features/chat/runtime/chat-runtime.ts';
import { ChatRuntimeContext } from '#/features/chat/runtime/chat-runtime-provider.tsx';
import type { Uploads } from '#/features/chat/uploads/uploads.ts';
import { fakeChatView, fakeList, noUploads } from '#/testing/fake-chats.ts';

/**
 * The chats of a person as screens see them, of which nothing runs: a list and a network that a test sets, and an
 * outbox that remembers what it was given. `around` hands them to the screens.
 */
export function createFakeChatRuntime(uploads: () => Promise<Uploads> = noUploads) {
  const chats = createSource(fakeList());
  const connection = createSource<ConnectionView>({ state: 'connected', isOnline: true });
  const add = vi.fn(async (_item: NewOutboxItem<MessagePayload>) => undefined);
  const noteDelivered = vi.fn<ChatRuntime['noteDelivered']>();
  const runtime: ChatRuntime = {
    chats,
    connection,
    unsent: {
      ...createSource<readonly OutboxItem<MessagePayload>[]>([]),
      isDurable: true,
      add,
      retry: async () => undefined,
      discard: async () => undefined,
      flush: () => undefined,
    },
    uploads,
    chatView: () => createSource(fakeChatView({})),
    noteDelivered,
    start: async () => undefined,
    stop: () => undefined,
  };
  return {
    add,
    noteDelivered,
    setChats: chats.set,
    setConnection: connection.set,
    setOnline: (isOnline: boolean) => connection.set({ state: 'connected', isOnline }),
    /** As it was made. */
    reset(): void {
      chats.set(fakeList());
      connection.set({ state: 'connected', isOnline: true });
      add.mockReset();
      noteDelivered.mockReset();
    },
    around: (page: ReactNode) => <ChatRuntimeContext value={runtime}>{page}</ChatRuntimeContext>,
  };
}
