import type { Observable } from '@wardline/client/observable.ts';
import type { Message } from '@wardline/contract/chat/chat.ts';
import type { ChatView } from '#/features/chat/core/chat-view.ts';
import type { ChatEngine } from './chat.ts';

/** How long a chat goes on after the last screen left it, so that going back and forth does not begin anew. */
export const LINGER_MS = 2000;

interface Place {
  readonly engine: ChatEngine;
  readonly shown: Observable<ChatView>;
  watchers: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** The open chats, one engine per chat: the first who watches one starts it, the last who leaves ends it. */
export interface ChatRegistry {
  /** `keptSeq`: where this tab left it, for a chat that is not open yet. */
  chatView(chatId: string, keptSeq?: number | null): Observable<ChatView>;
  /** Hands a stored message to its chat where that is open. */
  deliver(message: Message): void;
  deliverChange(message: Message): void;
  lose(chatId: string): void;
  restartAll(): void;
  wakeAll(): void;
  stopAll(): void;
}

export function createChatRegistry(make: (chatId: string, keptSeq: number | null) => ChatEngine): ChatRegistry {
  const places = new Map<string, Place>();
  const running = (): ChatEngine[] =>
    [...places.values()].flatMap((place) => (place.watchers > 0 ? [place.engine] : []));

  const leave = (chatId: string, place: Place): void => {
    place.watchers -= 1;
    if (place.watchers > 0) return;
    place.timer = setTimeout(() => {
      place.engine.stop();
      if (places.get(chatId) === place) places.delete(chatId);
    }, LINGER_MS);
  };
  const watch = (chatId: string, place: Place, listener: () => void): (() => void) => {
    const isLingering = place.timer !== undefined;
    clearTimeout(place.timer);
    place.timer = undefined;
    place.watchers += 1;
    const undo = place.engine.subscribe(listener);
    // One that was stopped meanwhile is watched again: it is put back and begins anew.
    const isNew = places.get(chatId) !== place;
    places.set(chatId, place);
    if (place.watchers === 1 && (isNew || !isLingering)) place.engine.start();
    return () => {
      undo();
      leave(chatId, place);
    };
  };
  const place = (chatId: string, keptSeq: number | null): Place => {
    const known = places.get(chatId);
    if (known !== undefined) return known;
    const engine = make(chatId, keptSeq);
    const made: Place = {
      engine,
      shown: { get: engine.get, subscribe: (listener) => watch(chatId, made, listener) },
      watchers: 0,
      timer: undefined,
    };
    places.set(chatId, made);
    return made;
  };
  return {
    chatView: (chatId, keptSeq = null) => place(chatId, keptSeq).shown,
    deliver: (message) => places.get(message.chat_id)?.engine.deliver(message),
    deliverChange: (message) => places.get(message.chat_id)?.engine.deliverChange(message),
    lose: (chatId) => places.get(chatId)?.engine.lose(),
    restartAll() {
      for (const engine of running()) {
        engine.stop();
        engine.start();
      }
    },
    wakeAll() {
      for (const engine of running()) engine.wake();
    },
    stopAll() {
      for (const one of places.values()) {
        clearTimeout(one.timer);
        one.engine.stop();
      }
      places.clear();
    },
  };
}
