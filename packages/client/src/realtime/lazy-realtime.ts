import { createSource } from '#/observable.ts';
import type { ConnectionState, Joined, Realtime } from './realtime.ts';

const RETRY_MS = 5000;

/**
 * A realtime client whose code comes with the first channel that is joined: a page can be read before. Joins wait for it in
 * their order; a load that fails is told by `onFailure` and repeated every 5 s, and at once by the next join or wake.
 */
export function createLazyRealtime(load: () => Promise<() => Realtime>, onFailure: (error: unknown) => void): Realtime {
  const connection = createSource<ConnectionState>('initialized');
  const waiting = new Set<(realtime: Realtime) => void>();
  let realtime: Realtime | null = null;
  let isLoading = false;
  let isStopped = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const begin = (create: () => Realtime): void => {
    if (isStopped) return;
    const begun = create();
    realtime = begun;
    connection.set(begun.connection.get());
    begun.connection.subscribe(() => connection.set(begun.connection.get()));
    for (const join of [...waiting]) join(begun);
    waiting.clear();
  };
  const start = (): void => {
    if (realtime !== null || isLoading || isStopped || waiting.size === 0) return;
    isLoading = true;
    clearTimeout(retry);
    load().then(begin, (error: unknown) => {
      isLoading = false;
      onFailure(error);
      retry = setTimeout(start, RETRY_MS);
    });
  };
  return {
    connection,
    socketId: () => realtime?.socketId() ?? null,
    join(channel, id, handlers) {
      if (realtime !== null) return realtime.join(channel, id, handlers);
      let joined: Joined | null = null;
      const join = (begun: Realtime): void => {
        joined = begun.join(channel, id, handlers);
      };
      waiting.add(join);
      start();
      return {
        leave() {
          waiting.delete(join);
          joined?.leave();
        },
        whisper: (name, data) => joined?.whisper(name, data),
      };
    },
    wake() {
      start();
      realtime?.wake();
    },
    stop() {
      isStopped = true;
      clearTimeout(retry);
      waiting.clear();
      realtime?.stop();
    },
  };
}
