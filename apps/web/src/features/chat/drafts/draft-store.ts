import { createSource, type Observable } from '@wardline/client/observable.ts';
import { useSyncExternalStore } from 'react';
import { attempt, clearingsSoFar, forget, prefix, tabStorage } from './clear-drafts.ts';

/** Unsent text per person and chat: in memory, and in the tab's own storage so that a reload keeps it. */
export interface DraftStore {
  read(chatId: string): string;
  /** What the person wrote; of a chat's text it is noted that the server does not have it. */
  write(chatId: string, text: string): void;
  /** What the server has: a device need not keep that (decision 007), and where it does not, nothing of it stays in the tab. */
  show(chatId: string, text: string, isKept?: boolean): void;
  /** Counts up at each write. */
  readonly writes: Observable<number>;
  /** The name that the person wrote to last; empty where it was shown. */
  lastWritten(): string;
}

/** Where it stands how far the server has a chat's text: the version that this one follows, then '*' while it has not this one. */
export const savedName = (chatId: string): string => `saved/${chatId}`;

let open: { readonly userId: string; readonly clearings: number; readonly drafts: DraftStore } | null = null;

/** The drafts of one person in this tab. Another person's are taken away: a ward computer changes hands. */
export function openDrafts(userId: string, storage: Storage | null = tabStorage()): DraftStore {
  const own = `${prefix}${userId}:`;
  forget(storage, (key) => key.startsWith(prefix) && !key.startsWith(own));
  const texts = new Map<string, string>();
  const writes = createSource(0);
  let lastWritten = '';
  const read = (name: string): string => {
    const known = texts.get(name);
    if (known !== undefined) return known;
    const kept = attempt(() => storage?.getItem(own + name)) ?? '';
    texts.set(name, kept);
    return kept;
  };
  const set = (name: string, text: string, isKept: boolean): void => {
    texts.set(name, text);
    attempt(() => (text && isKept ? storage?.setItem(own + name, text) : storage?.removeItem(own + name)));
  };
  const put = (name: string, text: string, isKept: boolean, written: string): void => {
    set(name, text, isKept);
    lastWritten = written;
    writes.set(writes.get() + 1);
  };
  return {
    writes,
    lastWritten: () => lastWritten,
    read,
    write(name, text) {
      const version = read(savedName(name)).replace('*', '');
      if (!name.includes('/')) set(savedName(name), text || version ? `${version}*` : '', true);
      put(name, text, true, name);
    },
    show: (name, text, isKept = false) => put(name, text, isKept, ''),
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
