export const prefix = 'wardline-draft:';
let clearings = 0;

/** How often drafts were taken off: what was opened before the last time is outdated. */
export function clearingsSoFar(): number {
  return clearings;
}

/** Takes every draft off the tab, at sign-out. */
export function clearDrafts(storage: Storage | null = tabStorage()): void {
  clearings += 1;
  forget(storage, (key) => key.startsWith(prefix));
}

export function forget(storage: Storage | null, isMeant: (key: string) => boolean): void {
  attempt(() => {
    for (const key of Object.keys(storage ?? {}).filter(isMeant)) storage?.removeItem(key);
  });
}

export function tabStorage(): Storage | null {
  return attempt(() => globalThis.sessionStorage) ?? null;
}

// Storage may be closed or full; the text in memory is then all there is.
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
