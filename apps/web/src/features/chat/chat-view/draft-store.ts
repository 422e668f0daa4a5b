import { attempt, clearingsSoFar, forget, prefix, tabStorage } from './clear-drafts.ts';

/** Unsent text per person and chat: in memory, and in the tab's own storage so that a reload keeps it. */
export interface DraftStore {
  read(chatId: string): string;
  write(chatId: string, text: string): void;
}

let open: { readonly userId: string; readonly clearings: number; readonly drafts: DraftStore } | null = null;

/** The drafts of one person in this tab. Another person's are taken away: a ward computer changes hands. */
export function openDrafts(userId: string, storage: Storage | null = tabStorage()): DraftStore {
  const own = `${prefix}${userId}:`;
  forget(storage, (key) => key.startsWith(prefix) && !key.startsWith(own));
  const texts = new Map<string, string>();
  return {
    read(chatId) {
      return texts.get(chatId) ?? attempt(() => storage?.getItem(own + chatId)) ?? '';
    },
    write(chatId, text) {
      texts.set(chatId, text);
      attempt(() => (text === '' ? storage?.removeItem(own + chatId) : storage?.setItem(own + chatId, text)));
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
