const prefix = 'wardline-draft:';

/** Unsent text per person and chat: in memory, and in the tab's own storage so that a reload keeps it. */
export interface DraftStore {
  read(chatId: string): string;
  write(chatId: string, text: string): void;
}

let open: { readonly userId: string; readonly drafts: DraftStore } | null = null;

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

/** Takes every draft off the tab, at sign-out. */
export function clearDrafts(storage: Storage | null = tabStorage()): void {
  open = null;
  forget(storage, (key) => key.startsWith(prefix));
}

function forget(storage: Storage | null, isMeant: (key: string) => boolean): void {
  attempt(() => {
    const keys = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? '');
    for (const key of keys.filter(isMeant)) storage?.removeItem(key);
  });
}

function tabStorage(): Storage | null {
  return attempt(() => globalThis.sessionStorage) ?? null;
}

// Storage may be closed or full; the text in memory is then all there is.
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/** The drafts of this person; opened at the first call. */
export function draftsOf(userId: string): DraftStore {
  if (open?.userId !== userId) open = { userId, drafts: openDrafts(userId) };
  return open.drafts;
}
