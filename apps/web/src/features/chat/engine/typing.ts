import { createSource, type Observable } from '@wardline/client/observable.ts';

export const TYPING_EVERY_MS = 3000;
export const TYPING_GONE_AFTER_MS = 6000;
export const TYPING_MAX_PARTICIPANTS = 30;

/** Who types in a chat (CHAT-12); ids, without me. */
export interface Typing extends Observable<readonly string[]> {
  /** I pressed a key. */
  note(participantCount: number): void;
  /** Somebody else did. */
  heard(userId: string): void;
  /** Somebody's message came, or they left. */
  stopped(userId: string): void;
  clear(): void;
}

/** `send` tells the others, at most once per 3 s and never in a chat of more than 30. */
export function createTyping(send: () => void, now: () => number = Date.now): Typing {
  const typing = createSource<readonly string[]>([]);
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let sentAt = Number.NEGATIVE_INFINITY;

  const publish = (): void => typing.set([...timers.keys()]);
  const stopped = (userId: string): void => {
    clearTimeout(timers.get(userId));
    if (timers.delete(userId)) publish();
  };
  return {
    get: typing.get,
    subscribe: typing.subscribe,
    note(participantCount) {
      if (participantCount > TYPING_MAX_PARTICIPANTS || now() - sentAt < TYPING_EVERY_MS) return;
      sentAt = now();
      send();
    },
    heard(userId) {
      const isKnown = timers.has(userId);
      clearTimeout(timers.get(userId));
      timers.set(
        userId,
        setTimeout(() => stopped(userId), TYPING_GONE_AFTER_MS),
      );
      if (!isKnown) publish();
    },
    stopped,
    clear() {
      for (const userId of [...timers.keys()]) stopped(userId);
    },
  };
}
