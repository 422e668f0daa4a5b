import { useSyncExternalStore } from 'react';

/** Whether the page is being printed, told soon enough for what is rendered then to be on the paper. */
export function usePrinting(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isPrinting,
    () => false,
  );
}

let isPrinting = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) follow();
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) unfollow();
  };
}

const begin = () => tell(true);
const end = () => tell(false);

function tell(next: boolean): void {
  isPrinting = next;
  for (const listener of listeners) listener();
}

function follow(): void {
  window.addEventListener('beforeprint', begin);
  window.addEventListener('afterprint', end);
}

function unfollow(): void {
  window.removeEventListener('beforeprint', begin);
  window.removeEventListener('afterprint', end);
}
