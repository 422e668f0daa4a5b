import { useSyncExternalStore } from 'react';

/**
 * False while a page that was rendered ahead of time is taken over, so that the first drawing equals what was rendered;
 * true from then on. What hangs on the address, the configuration or the session is drawn only when it is true.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}

function subscribe(): () => void {
  return () => undefined;
}
