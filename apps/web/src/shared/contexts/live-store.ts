import type { LiveEntry, LiveStore } from '@wardline/client/live/live-store.ts';
import { createRealtimeLiveStore } from '@wardline/client/live/realtime-live-store.ts';
import { createLog } from '@wardline/client/log.ts';
import type { Realtime } from '@wardline/client/realtime/realtime.ts';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { joinOpenChat } from './join-chat.ts';
import { useRealtime } from './realtime-context.ts';

/** One for each live connection, so that a page says what is live there once. */
const stores = new WeakMap<Pick<Realtime, 'join'>, LiveStore>();

function storeOf(realtime: Pick<Realtime, 'join'>): LiveStore {
  const known = stores.get(realtime);
  if (known !== undefined) return known;
  const join: Parameters<typeof createRealtimeLiveStore>[0]['join'] = (chatId, handlers) =>
    joinOpenChat(realtime, chatId, handlers);
  const store = createRealtimeLiveStore({ join, newId: uuidv7, log: createLog() });
  stores.set(realtime, store);
  return store;
}

/** What several people see change at once, of the signed-in page; null around a part that is shown without a connection. */
function useLiveStore(): LiveStore | null {
  const realtime = useRealtime();
  return realtime && storeOf(realtime);
}

const EMPTY: readonly LiveEntry[] = [];
const NOTHING = { get: () => EMPTY, subscribe: () => () => undefined };

/** What others have live at this path or below it. */
export function useLiveEntries(path: string): readonly LiveEntry[] {
  const store = useLiveStore();
  const watched = useMemo(() => store?.watch(path) ?? NOTHING, [store, path]);
  return useSyncExternalStore(watched.subscribe, watched.get);
}

/** Outlives two messages that were lost; whoever is gone without a word is shown no longer than that. */
const TTL_MS = 20_000;
const EVERY_MS = 7_000;

/** Says that this value is live at a path for as long as it is shown, and takes it back afterwards; null says nothing. */
export function useLive(path: string | null, value: unknown): void {
  const store = useLiveStore();
  useEffect(() => {
    if (store === null || path === null) return;
    const say = () => store.patch(path, value, TTL_MS);
    say();
    const timer = setInterval(say, EVERY_MS);
    return () => {
      clearInterval(timer);
      store.remove(path);
    };
  }, [store, path, value]);
}
