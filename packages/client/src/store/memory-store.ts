import { STORAGE_PREFIX } from '#/storage-prefix.ts';
import { type DeviceStore, type KeptFile, type OutboxRow, type StoreChange, StoreError } from './device-store.ts';

/** A store that lives as long as this tab: where the browser has no database, or nothing may be written. */
export function createMemoryStore(userId: string, prefix: string = STORAGE_PREFIX): DeviceStore {
  const outbox = new Map<number, OutboxRow>();
  const meta = new Map<string, { value: unknown; chatId: string | undefined }>();
  const files = createMemoryFiles(() => isClosed);
  let lastOrder = 0;
  let isClosed = false;

  const apply = (change: StoreChange): void => {
    switch (change.type) {
      case 'put-outbox':
        if (outbox.has(change.row.order)) outbox.set(change.row.order, change.row);
        break;
      case 'remove-outbox':
        outbox.delete(change.order);
        break;
      case 'put-meta':
        if (!change.isCache) meta.set(change.name, { value: change.value, chatId: change.chatId });
        break;
      case 'remove-meta':
        meta.delete(change.name);
        break;
      case 'wipe-chat':
        for (const [name, row] of meta) if (row.chatId === change.chatId) meta.delete(name);
        files.wipeChat(change.chatId);
        break;
      default:
      // Everything else is cache, which is not kept here.
    }
  };
  const end = (): void => {
    isClosed = true;
    outbox.clear();
    meta.clear();
    files.clear();
  };
  return {
    prefix,
    userId,
    isDurable: false,
    isCaching: false,
    outbox: async () => [...outbox.values()],
    async addOutbox(row) {
      if (isClosed) throw new StoreError('closed');
      lastOrder += 1;
      outbox.set(lastOrder, { ...row, order: lastOrder });
      return lastOrder;
    },
    chats: async () => [],
    messages: async () => [],
    meta: async (name) => meta.get(name)?.value,
    async metaWithPrefix(prefix) {
      return new Map([...meta].flatMap(([name, row]) => (name.startsWith(prefix) ? [[name, row.value] as const] : [])));
    },
    async write(changes) {
      if (isClosed) throw new StoreError('closed');
      for (const change of changes) apply(change);
    },
    ...files.store,
    confirm: async () => undefined,
    wipeChat: async (chatId) => apply({ type: 'wipe-chat', chatId }),
    wipeFacility: async () => undefined,
    wipe: async () => end(),
    close: end,
  };
}

/** Files that wait to be sent, as long as this tab lives. */
function createMemoryFiles(isClosed: () => boolean) {
  const kept = new Map<string, { readonly file: KeptFile; readonly bytes: ArrayBuffer }>();
  const store: Pick<DeviceStore, 'keepFile' | 'assignFiles' | 'files' | 'file' | 'dropFiles'> = {
    async keepFile(file, bytes) {
      if (isClosed()) throw new StoreError('closed');
      kept.set(file.id, { file, bytes });
    },
    async assignFiles(ids, clientId) {
      for (const id of ids) {
        const found = kept.get(id);
        if (found) kept.set(id, { ...found, file: { ...found.file, clientId } });
      }
    },
    files: async () => [...kept.values()].map(({ file }) => file),
    file: async (id) => kept.get(id)?.bytes ?? null,
    async dropFiles(ids) {
      for (const id of ids) kept.delete(id);
    },
  };
  return {
    store,
    clear: () => kept.clear(),
    wipeChat(chatId: string): void {
      for (const { file } of [...kept.values()]) {
        if (file.chatId === chatId && file.clientId === null) kept.delete(file.id);
      }
    },
  };
}
