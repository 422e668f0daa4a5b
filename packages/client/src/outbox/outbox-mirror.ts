import { createSource, type Observable } from '#/observable.ts';
import type { DeviceStore } from '#/store/device-store.ts';
import { fromRow, type OutboxItem } from './outbox-item.ts';

/** What a tab knows of the outbox on the device, in order. */
export interface OutboxMirror<Payload> extends Observable<readonly OutboxItem<Payload>[]> {
  find(clientId: string): OutboxItem<Payload> | undefined;
  /** Adds the item or replaces the one with its client id. */
  put(item: OutboxItem<Payload>): void;
  /** Takes it out for good: a read that began earlier does not bring it back. */
  remove(clientId: string): void;
  /** Reads the device anew; what this tab sends at the moment keeps its state. */
  refresh(): Promise<void>;
}

/** Makes the mirror. Rows of another person are never taken in (A34). */
export function createOutboxMirror<Payload>(store: DeviceStore, userId: string): OutboxMirror<Payload> {
  const items = createSource<readonly OutboxItem<Payload>[]>([]);
  const gone = new Set<string>();
  let changes = 0;

  const set = (next: readonly OutboxItem<Payload>[]): void => {
    changes += 1;
    items.set(next.toSorted((a, b) => a.order - b.order));
  };
  const find = (clientId: string) => items.get().find((item) => item.clientId === clientId);
  const refresh = async (): Promise<void> => {
    const before = changes;
    const rows = await store.outbox();
    // Something changed here while the device was read: what was read may be older.
    if (changes !== before) return await refresh();
    const read = rows.filter((row) => row.userId === userId && !gone.has(row.clientId)).map(fromRow<Payload>);
    set(read.map((item) => (find(item.clientId)?.state === 'sending' ? { ...item, state: 'sending' } : item)));
  };
  return {
    get: items.get,
    subscribe: items.subscribe,
    find,
    put: (item) => set([...items.get().filter(({ clientId }) => clientId !== item.clientId), item]),
    remove(clientId) {
      gone.add(clientId);
      if (find(clientId) !== undefined) set(items.get().filter((item) => item.clientId !== clientId));
    },
    refresh,
  };
}
