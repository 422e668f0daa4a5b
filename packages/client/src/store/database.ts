import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { STORAGE_PREFIX } from '#/storage-prefix.ts';
import { type KeptFile, StoreError } from './device-store.ts';
import type { Sealed } from './row-cipher.ts';

export const DATABASE_VERSION = 2;

export interface SealedOutboxRow {
  /** Given by the database; absent in a row to be added. */
  readonly order?: number;
  readonly clientId: string;
  readonly userId: string;
  readonly lane: string;
  readonly writtenAt: string;
  readonly sealed: Sealed;
}

/** The plain rows of `meta`: what must be read before there is a key. */
export interface KeyRow {
  readonly name: 'key';
  readonly key: CryptoKey;
  /** 'device' where the back end has no key to give. */
  readonly source: 'server' | 'device';
}
export interface DeviceRow {
  readonly name: 'device';
  readonly isOwn: boolean;
  /** When the server last confirmed this person here, in ms. */
  readonly confirmedAt: number;
}
export interface SealedMetaRow {
  readonly name: string;
  readonly chatId?: string;
  readonly isCache: boolean;
  readonly sealed: Sealed;
}

export interface SealedMessageRow {
  readonly chatId: string;
  readonly seq: number;
  readonly id: string;
  /** Absent in rows that were kept before messages could change. */
  readonly changeSeq?: number;
  readonly sealed: Sealed;
}

export type SealedFileRow = KeptFile & { readonly sealed: Sealed };

export interface DeviceSchema extends DBSchema {
  outbox: { key: number; value: SealedOutboxRow };
  chats: {
    key: string;
    value: { readonly chatId: string; readonly facilityId: string; readonly sealed: Sealed };
    indexes: { facilityId: string };
  };
  messages: {
    key: [string, number];
    value: SealedMessageRow;
  };
  files: { key: string; value: SealedFileRow; indexes: { chatId: string } };
  meta: { key: string; value: KeyRow | DeviceRow | SealedMetaRow; indexes: { chatId: string } };
}

export type Database = IDBPDatabase<DeviceSchema>;

/** Whose copy, and of which app of this origin. */
export interface CopyOf {
  readonly userId: string;
  /** What the names of the app begin with (storage-prefix.ts). */
  readonly prefix?: string | undefined;
}

/** Name of the one database of a person. */
export function databaseName({ prefix = STORAGE_PREFIX, userId }: CopyOf): string {
  return `${prefix}-${userId}`;
}

/** Opens a person's database. It yields to a newer version in another tab. */
export function openDatabase(copy: CopyOf, onClose: () => void = () => undefined): Promise<Database> {
  return openDB<DeviceSchema>(databaseName(copy), DATABASE_VERSION, {
    upgrade(database, before) {
      database.createObjectStore('files', { keyPath: 'id' }).createIndex('chatId', 'chatId');
      if (before > 0) return;
      database.createObjectStore('outbox', { keyPath: 'order', autoIncrement: true });
      database.createObjectStore('chats', { keyPath: 'chatId' }).createIndex('facilityId', 'facilityId');
      database.createObjectStore('messages', { keyPath: ['chatId', 'seq'] });
      database.createObjectStore('meta', { keyPath: 'name' }).createIndex('chatId', 'chatId');
    },
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close();
      onClose();
    },
    terminated: onClose,
  });
}

/** All seqs of a chat. */
export function messagesOf(chatId: string, before = Number.POSITIVE_INFINITY): IDBKeyRange {
  return IDBKeyRange.bound([chatId, 0], [chatId, before], false, true);
}

/** A failure of the browser's storage in our words. */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const name = error instanceof DOMException || error instanceof Error ? error.name : '';
  return new StoreError(name === 'QuotaExceededError' ? 'quota' : 'unavailable', error);
}
