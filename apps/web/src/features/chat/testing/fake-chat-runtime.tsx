import { createSource } from '@wardline/client/observable.ts';
import type { NewOutboxItem } from '@wardline/client/outbox/outbox.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import type { MessageChange } from '#/features/chat/core/chat-view.ts';
import type { MessagePayload } from '#/features/chat/engine/send-message.ts';
import type { ChatRuntime, ConnectionView } from '#/features/chat/runtime/chat-runtime.ts';
import { ChatRuntimeContext } from '#/features/chat/runtime/chat-runtime-provider.tsx';
import type { Uploads } from '#/features/chat/uploads/uploads.ts';
import { fakeChatView, fakeList, noUploads } from '#/testing/fake-chats.ts';

/**
 * The chats of a person as screens see them, of which nothing runs: a list, a network and unsent changes that a test sets,
 * and an outbox that remembers what it was given. `around` hands them to the screens.
 */
export function createFakeChatRuntime(uploads: () => Promise<Uploads> = noUploads) {
  const chats = createSource(fakeList());
  const connection = createSource<ConnectionView>({ state: 'connected', isOnline: true });
  const add = vi.fn(async (_item: NewOutboxItem<MessagePayload>) => undefined);
  const addChange = vi.fn(async (_item: NewOutboxItem<MessageChange>) => undefined);
  const retryChange = vi.fn(async (_clientId: string) => undefined);
  const changes = createSource<readonly OutboxItem<MessageChange>[]>([]);
  const idle = {
    isDurable: true,
    retry: async () => undefined,
    discard: async () => undefined,
    flush: () => undefined,
  };
  const runtime: ChatRuntime = {
    chats,
    connection,
    unsent: { ...createSource<readonly OutboxItem<MessagePayload>[]>([]), ...idle, add },
    unsentChanges: { ...changes, ...idle, add: addChange, retry: retryChange },
    uploads,
    chatView: () => createSource(fakeChatView({})),
    start: async () => undefined,
    stop: () => undefined,
  };
  return {
    add,
    addChange,
    retryChange,
    setChanges: changes.set,
    setChats: chats.set,
    setConnection: connection.set,
    setOnline: (isOnline: boolean) => connection.set({ state: 'connected', isOnline }),
    /** As it was made. */
    reset(): void {
      chats.set(fakeList());
      connection.set({ state: 'connected', isOnline: true });
      changes.set([]);
      for (const mock of [add, addChange, retryChange]) mock.mockReset();
    },
    around: (page: ReactNode) => <ChatRuntimeContext value={runtime}>{page}</ChatRuntimeContext>,
  };
}
