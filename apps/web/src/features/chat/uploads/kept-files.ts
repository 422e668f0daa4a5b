import type { Log } from '@wardline/client/log.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import type { FileRef } from '#/features/chat/core/file-ref.ts';
import type { MessagePayload } from '#/features/chat/engine/send-message.ts';

/** What was chosen and never sent goes after a day, as its upload does at the server. */
const UNWRITTEN_MS = 24 * 60 * 60_000;

const addressName = (id: string) => `upload/${id}`;

/** Files on the device until the server has them: their bytes, and where their upload is. */
export function createKeptFiles(store: DeviceStore, log: Log) {
  const quietly = (work: Promise<unknown>): void =>
    void work.catch((error) => log.warn('What waits to be uploaded could not be kept on this device', error));

  return {
    /** Rejects with a StoreError, or where the browser can no longer read the file. */
    async keep({ id }: FileRef, chatId: string, blob: Blob, keptAt: string): Promise<void> {
      await store.keepFile({ id, chatId, clientId: null, keptAt }, await blob.arrayBuffer());
    },
    async read({ id, type }: FileRef): Promise<Blob | null> {
      const bytes = await store.file(id);
      return bytes && new Blob([bytes], { type });
    },
    async address(id: string): Promise<string | null> {
      const kept = await store.meta(addressName(id)).catch(() => undefined);
      return typeof kept === 'string' ? kept : null;
    },
    keepAddress(id: string, chatId: string, uploadId: string | null): void {
      const name = addressName(id);
      const change =
        uploadId === null
          ? ({ type: 'remove-meta', name } as const)
          : ({ type: 'put-meta', name, value: uploadId, chatId, isCache: false } as const);
      quietly(store.write([change]));
    },
    assign: (ids: readonly string[], clientId: string): void => quietly(store.assignFiles(ids, clientId)),
    drop(ids: readonly string[]): void {
      if (ids.length === 0) return;
      quietly(store.dropFiles(ids));
      quietly(store.write(ids.map((id) => ({ type: 'remove-meta', name: addressName(id) }))));
    },
    /** Drops what no page takes up any more: of messages that were sent or discarded, and what was chosen long ago. */
    async sweep(nowMs: number): Promise<void> {
      try {
        // The files first: what becomes unsent work while both are read is found in the second.
        const files = await store.files();
        const rows = await store.outbox();
        const needed = new Set(
          rows.flatMap(({ content }) => {
            const { payload } = content as Pick<OutboxItem<Partial<MessagePayload> | null>, 'payload'>;
            return payload?.files?.list.map(({ id }) => id) ?? [];
          }),
        );
        const isOld = (keptAt: string) => nowMs - Date.parse(keptAt) > UNWRITTEN_MS;
        const left = files.filter(
          ({ id, clientId, keptAt }) => !needed.has(id) && (clientId !== null || isOld(keptAt)),
        );
        this.drop(left.map(({ id }) => id));
      } catch (error) {
        log.warn('Files on this device could not be looked through', error);
      }
    },
  };
}
