import type { IDBPTransaction } from 'idb';
import { type DeviceSchema, messagesOf, type SealedMessageRow, type SealedOutboxRow } from './database.ts';
import type { OutboxRow, StoreChange } from './device-store.ts';
import type { RowCipher, Sealed } from './row-cipher.ts';

export type StoreName = 'outbox' | 'chats' | 'messages' | 'files' | 'meta';
export type WriteTransaction = IDBPTransaction<DeviceSchema, StoreName[], 'readwrite'>;

/** A change whose content is sealed already, since a transaction does not wait for the cipher. */
export interface ReadyChange {
  readonly stores: readonly StoreName[];
  apply(transaction: WriteTransaction): Promise<unknown>;
}

/** Where a content belongs; part of its seal. */
export const place = {
  outbox: (row: Pick<OutboxRow, 'userId' | 'lane' | 'clientId'>) => `outbox/${row.userId}/${row.lane}/${row.clientId}`,
  chat: (chatId: string) => `chats/${chatId}`,
  message: (chatId: string, seq: number) => `messages/${chatId}/${seq}`,
  file: (id: string) => `files/${id}`,
  meta: (name: string) => `meta/${name}`,
};

/** Seals what a change carries. */
export async function makeReady(change: StoreChange, cipher: RowCipher): Promise<ReadyChange> {
  switch (change.type) {
    case 'put-chat': {
      const { chatId, facilityId } = change;
      const sealed = await cipher.seal(place.chat(chatId), change.value);
      return { stores: ['chats'], apply: (tx) => tx.objectStore('chats').put({ chatId, facilityId, sealed }) };
    }
    case 'put-message': {
      const { chatId, seq, id, changeSeq = 0, isUpdate = false } = change;
      const sealed = await cipher.seal(place.message(chatId, seq), change.value);
      const row = { chatId, seq, id, changeSeq, sealed };
      return { stores: ['messages'], apply: (tx) => putMessage(tx, row, isUpdate) };
    }
    case 'put-meta': {
      const { name, chatId, isCache } = change;
      const sealed = await cipher.seal(place.meta(name), change.value);
      const row = { name, isCache, sealed, ...(chatId === undefined ? {} : { chatId }) };
      return { stores: ['meta'], apply: (tx) => tx.objectStore('meta').put(row) };
    }
    case 'put-outbox': {
      const sealed = await cipher.seal(place.outbox(change.row), change.row.content);
      const row = sealOutboxRow(change.row, sealed);
      return { stores: ['outbox'], apply: (tx) => replaceOutboxRow(tx, { ...row, order: change.row.order }) };
    }
    case 'remove-meta':
      return { stores: ['meta'], apply: (tx) => tx.objectStore('meta').delete(change.name) };
    case 'remove-outbox':
      return { stores: ['outbox'], apply: (tx) => tx.objectStore('outbox').delete(change.order) };
    case 'wipe-chat':
      return { stores: ['chats', 'messages', 'files', 'meta'], apply: (tx) => wipeChat(tx, change.chatId) };
    case 'wipe-facility':
      return { stores: ['chats', 'messages', 'files', 'meta'], apply: (tx) => wipeFacility(tx, change.facilityId) };
    case 'wipe-chats':
      return { stores: ['chats', 'messages', 'meta'], apply: wipeChats };
  }
}

export function sealOutboxRow({ clientId, userId, lane, writtenAt }: Omit<OutboxRow, 'order'>, sealed: Sealed) {
  return { clientId, userId, lane, writtenAt, sealed };
}

/** What came late, or from a tab that is behind, never takes the place of a newer state. */
async function putMessage(tx: WriteTransaction, row: SealedMessageRow, isUpdate: boolean): Promise<void> {
  const messages = tx.objectStore('messages');
  const kept = await messages.get([row.chatId, row.seq]);
  if (kept === undefined ? !isUpdate : (kept.changeSeq ?? 0) <= (row.changeSeq ?? 0)) await messages.put(row);
}

/** A row that was sent or discarded meanwhile, perhaps by another tab, stays gone. */
async function replaceOutboxRow(
  tx: WriteTransaction,
  row: SealedOutboxRow & { readonly order: number },
): Promise<void> {
  const outbox = tx.objectStore('outbox');
  if ((await outbox.getKey(row.order)) !== undefined) await outbox.put(row);
}

/** Nothing of a chat stays that is not this person's any more, but for unsent messages with their files: those are told why, and kept. */
async function wipeChat(tx: WriteTransaction, chatId: string): Promise<void> {
  const beside = await tx.objectStore('meta').index('chatId').getAllKeys(chatId);
  const files = await tx.objectStore('files').index('chatId').getAll(chatId);
  const unwritten = files.filter(({ clientId }) => clientId === null);
  await Promise.all([
    tx.objectStore('chats').delete(chatId),
    tx.objectStore('messages').delete(messagesOf(chatId)),
    ...beside.map((name) => tx.objectStore('meta').delete(name)),
    ...unwritten.map(({ id }) => tx.objectStore('files').delete(id)),
  ]);
}

async function wipeFacility(tx: WriteTransaction, facilityId: string): Promise<void> {
  const chatIds = await tx.objectStore('chats').index('facilityId').getAllKeys(facilityId);
  for (const chatId of chatIds) await wipeChat(tx, chatId);
}

/** What was read of chats, all to be read anew. What was written there and is nowhere else stays: files, and what is no cache. */
async function wipeChats(tx: WriteTransaction): Promise<void> {
  await Promise.all([tx.objectStore('chats').clear(), tx.objectStore('messages').clear()]);
  for (const row of await tx.objectStore('meta').getAll()) {
    if ('chatId' in row && row.isCache) await tx.objectStore('meta').delete(row.name);
  }
}

/** Chats, messages and cached meta rows; the key, the device's row and unsent work stay. */
export async function wipeCache(tx: WriteTransaction): Promise<void> {
  await Promise.all([tx.objectStore('chats').clear(), tx.objectStore('messages').clear()]);
  for (const row of await tx.objectStore('meta').getAll()) {
    if ('isCache' in row && row.isCache) await tx.objectStore('meta').delete(row.name);
  }
}
