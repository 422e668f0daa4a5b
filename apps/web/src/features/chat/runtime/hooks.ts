import type { Observable } from '@wardline/client/observable.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { Patient } from '@wardline/contract/chat/chat.ts';
import { useSyncExternalStore } from 'react';
import type { ChatList, ChatView, MessageChange } from '#/features/chat/core/chat-view.ts';
import type { ConnectionView } from './chat-runtime.ts';
import { useChatRuntime } from './chat-runtime-provider.tsx';

function useObservable<Value>(observable: Observable<Value>): Value {
  return useSyncExternalStore(observable.subscribe, observable.get, observable.get);
}

/** My chats, newest activity first. */
export function useChats(): ChatList {
  return useObservable(useChatRuntime().chats);
}

/** Whether any chat of mine has an urgent message that is not over. */
export function useHasUrgent(): boolean {
  return useChats().items.some(({ chat }) => (chat.urgent_count ?? 0) > 0);
}

/** My changes of messages that the server does not have, of every chat. */
export function useUnsentChanges(): readonly OutboxItem<MessageChange>[] {
  return useObservable(useChatRuntime().unsentChanges);
}

/** Whom a chat is about, as this device knows it; null where it is about nobody. */
export function usePatientOf(chatId: string | null): Patient | null {
  const { chats } = useChatRuntime();
  const get = () => chats.get().items.find(({ chat }) => chat.id === chatId)?.chat.patient ?? null;
  return useSyncExternalStore(chats.subscribe, get, get);
}

/** One chat, kept true for as long as it is shown. `keptSeq`: where this tab left it. */
export function useChatView(chatId: string, keptSeq: number | null): ChatView {
  return useObservable(useChatRuntime().chatView(chatId, keptSeq));
}

/** Whether there is a network and how the realtime connection stands. */
export function useConnection(): ConnectionView {
  return useObservable(useChatRuntime().connection);
}
