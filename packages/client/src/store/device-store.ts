/** Work of a person that the server has not acknowledged. Only `content` is more than ids and times; it is encrypted. */
export interface OutboxRow {
  /** First in, first out: given by the store when the row is added. */
  readonly order: number;
  readonly clientId: string;
  readonly userId: string;
  readonly lane: string;
  /** ISO instant by this device's clock. */
  readonly writtenAt: string;
  readonly content: unknown;
}

/** A file that waits to be sent. Its bytes are encrypted; ids and times are not. */
export interface KeptFile {
  readonly id: string;
  readonly chatId: string;
  /** The unsent message that it goes with; null while that is still being written. */
  readonly clientId: string | null;
  /** ISO instant by this device's clock. */
  readonly keptAt: string;
}

/** One change of a device's copy. Several of them given to `write` happen together or not at all. */
export type StoreChange =
  | { readonly type: 'put-chat'; readonly chatId: string; readonly facilityId: string; readonly value: unknown }
  | {
      readonly type: 'put-message';
      readonly chatId: string;
      readonly seq: number;
      readonly id: string;
      readonly value: unknown;
      /** Grows with each change of the message; an older one never takes the place of a newer one. Without it 0. */
      readonly changeSeq?: number;
      /** Only in the place of one that is kept. */
      readonly isUpdate?: boolean;
    }
  | MetaChange
  | { readonly type: 'remove-meta'; readonly name: string }
  | { readonly type: 'put-outbox'; readonly row: OutboxRow }
  | { readonly type: 'remove-outbox'; readonly order: number }
  /** The chat's row, its messages, files of what is being written and what is kept beside them; unsent work stays. */
  | { readonly type: 'wipe-chat'; readonly chatId: string }
  | { readonly type: 'wipe-facility'; readonly facilityId: string }
  /** All chats as they were read; identity, and what was written there and is not sent, stay. */
  | { readonly type: 'wipe-chats' };

export interface MetaChange {
  readonly type: 'put-meta';
  readonly name: string;
  readonly value: unknown;
  /** Goes with this chat when it is wiped. */
  readonly chatId?: string;
  /** Part of the read cache, hence only on a person's own device; else kept on any device until it is stored elsewhere, or the person signs out. */
  readonly isCache: boolean;
}

/** How a copy ends. */
export interface EndOptions {
  /** Also forgets what was never sent, and what was typed. */
  readonly discardUnsent?: boolean;
  /** Forgets what was typed and stored nowhere else: who signs out says so, whose session ended has it back. */
  readonly discardTyped?: boolean;
}

/** One person's copy on this device. Content is encrypted; ids, seqs, orders and times are not. */
export interface DeviceStore {
  /** What the names of this app begin with in the browser (storage-prefix.ts). */
  readonly prefix: string;
  readonly userId: string;
  /** False when what is written lives no longer than this tab. */
  readonly isDurable: boolean;
  /** Whether chats, messages and identity are kept here: only on a person's own device. */
  readonly isCaching: boolean;
  /** In order. Rows that cannot be read are left in place, logged and left out. */
  outbox(): Promise<readonly OutboxRow[]>;
  /** Adds unsent work; resolves with its order once it is on the disk. Rejects with a StoreError. */
  addOutbox(row: Omit<OutboxRow, 'order'>): Promise<number>;
  chats(): Promise<readonly unknown[]>;
  /** The newest `limit` messages of a chat before a seq (or all), ascending. */
  messages(chatId: string, page: { readonly before?: number; readonly limit: number }): Promise<readonly unknown[]>;
  meta(name: string): Promise<unknown>;
  /** Name → value of all whose name begins so. */
  metaWithPrefix(prefix: string): Promise<ReadonlyMap<string, unknown>>;
  /** All changes in one transaction, in the order of the calls. Cache changes are left out where nothing is cached. */
  write(changes: readonly StoreChange[]): Promise<void>;
  /** The server has confirmed this person again: the copy may live on for 7 days. */
  confirm(): Promise<void>;
  /** Keeps the bytes of a file until it is dropped. Rejects with a StoreError. */
  keepFile(file: KeptFile, bytes: ArrayBuffer): Promise<void>;
  /** From now on these go with an unsent message, and stay as long as it does. */
  assignFiles(ids: readonly string[], clientId: string): Promise<void>;
  files(): Promise<readonly KeptFile[]>;
  /** The bytes; null where they are not here, or cannot be read. */
  file(id: string): Promise<ArrayBuffer | null>;
  dropFiles(ids: readonly string[]): Promise<void>;
  wipeChat(chatId: string): Promise<void>;
  wipeFacility(facilityId: string): Promise<void>;
  /** No cache, no key; unsent work and what was typed stay as ciphertext unless told otherwise. The store is closed after it. */
  wipe(options?: EndOptions): Promise<void>;
  /** Ends the use in this tab without removing anything. */
  close(): void;
}

export type StoreFailure = 'quota' | 'closed' | 'unavailable';

/** Why the device could not keep something. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly failure: StoreFailure;

  constructor(failure: StoreFailure, cause?: unknown) {
    super(SENTENCES[failure], { cause });
    this.failure = failure;
  }
}

const SENTENCES: Readonly<Record<StoreFailure, string>> = {
  quota: 'This device has no room left.',
  closed: 'The copy on this device is closed.',
  unavailable: 'This browser did not store it.',
};

/** How long a read cache may live since its person was last confirmed by the server. */
export const CACHE_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/** True for changes that only matter where a read cache is kept. */
export function isCacheChange(change: StoreChange): boolean {
  return change.type === 'put-chat' || change.type === 'put-message' || (change.type === 'put-meta' && change.isCache);
}
