import { createSource, type Observable } from '@wardline/client/observable.ts';
import { useSyncExternalStore } from 'react';
import { attempt, clearingsSoFar, forget, prefix, tabStorage } from './clear-drafts.ts';

/** Unsent text per person and chat: in memory, and in the tab's own storage so that a reload keeps it. */
export interface DraftStore {
  read(chatId: string): string;
  write(chatId: string, text: string): void;
  /** Counts up at each write. */
  readonly writes: Observable<number>;
}

let open: { readonly userId: string; readonly clearings: number; readonly drafts: DraftStore } | null = null;

/** The drafts of one person in this tab. Another person's are taken away: a ward computer changes hands. */
export function openDrafts(userId: string, storage: Storage | null = tabStorage()): DraftStore {
  const own = `${prefix}${userId}:`;
  forget(storage, (key) => key.startsWith(prefix) && !key.startsWith(own));
  const texts = new Map<string, string>();
  const writes = createSource(0);
  return {
    writes,
    read(chatId) {
      const known = texts.get(chatId);
      if (known !== undefined) return known;
      const kept = attempt(() => storage?.getItem(own + chatId)) ?? '';
      texts.set(chatId, kept);
      return kept;
    },
    write(chatId, text) {
      texts.set(chatId, text);
      attempt(() => (text === '' ? storage?.removeItem(own + chatId) : storage?.setItem(own + chatId, text)));
      writes.set(writes.get() + 1);
    },
  };
}

/** The drafts of this person; opened at the first call. */
export function draftsOf(userId: string): DraftStore {
  const clearings = clearingsSoFar();
  if (open?.userId !== userId || open.clearings !== clearings) {
    open = { userId, clearings, drafts: openDrafts(userId) };
  }
  return open.drafts;
}

/** What this person has begun to write in a chat, kept up to date; empty where nothing was. */
export function useDraft(userId: string, chatId: string): string {
  const drafts = draftsOf(userId);
  const read = () => drafts.read(chatId);
  return useSyncExternalStore(drafts.writes.subscribe, read, read);
}
