import type { OpenTabChannel } from '#/browser/tab-channel.ts';
import type { WithTabLock } from '#/browser/tab-lock.ts';

/** Tabs of one browser: they hear each other, and one at a time holds a lock. */
export interface FakeTabs {
  readonly openTab: OpenTabChannel;
  readonly withLock: WithTabLock;
  /** Every lock is free again, as when the tab that held it was killed. */
  killHolders(): void;
}

export function createFakeTabs(): FakeTabs {
  const channels = new Map<string, Set<(word: never) => void>>();
  const queues = new Map<string, Promise<void>>();
  let kill: () => void = () => undefined;
  let killed = new Promise<void>((resolve) => {
    kill = resolve;
  });
  return {
    openTab(name, onWord) {
      const listeners = channels.get(name) ?? new Set();
      channels.set(name, listeners);
      listeners.add(onWord);
      return {
        post(word) {
          const copy = structuredClone(word);
          for (const listener of [...listeners]) {
            if (listener !== onWord) queueMicrotask(() => listeners.has(listener) && listener(copy as never));
          }
        },
        close: () => void listeners.delete(onWord),
      };
    },
    async withLock(name, signal, work) {
      const before = queues.get(name) ?? Promise.resolve();
      const turn = before.then(async () => {
        if (!signal.aborted) await Promise.race([work(), killed]);
      });
      queues.set(
        name,
        turn.catch(() => undefined),
      );
      await turn;
    },
    killHolders() {
      kill();
      killed = new Promise((resolve) => {
        kill = resolve;
      });
    },
  };
}
