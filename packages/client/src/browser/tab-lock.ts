/** Runs work while no other tab runs work under the same name. Resolves with what the work answered. */
export type WithTabLock = (name: string, signal: AbortSignal, work: () => Promise<void>) => Promise<void>;

/**
 * By the Web Locks API. Where there is none, tabs may overlap: callers stay correct then, because each sends in order and
 * the server answers a repeat with what it stored; it only costs repeats.
 */
export function tabLock(locks: LockManager | undefined = globalThis.navigator?.locks): WithTabLock {
  if (locks === undefined) return (_name, _signal, work) => work();
  return async (name, signal, work) => {
    await locks.request(name, { signal }, work);
  };
}
