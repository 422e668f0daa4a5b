import type { RetryState } from '#/backoff.ts';
import type { Failure } from '#/engine.ts';
import type { OutboxRow, StoreChange } from '#/store/device-store.ts';
import type { OutboxItem, Refusal } from './outbox-item.ts';

export interface OutboxState<Payload> {
  readonly userId: string;
  /** What this tab knows of the outbox on the device, in order. */
  readonly items: readonly OutboxItem<Payload>[];
  /** Client ids of what left for good but may still have its row: reading the device does not bring them back. */
  readonly goneIds: ReadonlySet<string>;
  /** New items in the order in which the person pressed send; the first is being stored. */
  readonly adding: readonly PendingAdd<Payload>[];
  /** Client ids whose row is being written: what a read says of them may be older. */
  readonly writing: readonly string[];
  /** Client ids that are being taken off the device: they are not begun to be sent. */
  readonly discarding: ReadonlySet<string>;
  /** Lane → the item that it is busy with. */
  readonly busy: ReadonlyMap<string, OutboxItem<Payload>>;
  /** Lanes that wait for the next try. */
  readonly resting: ReadonlySet<string>;
  /** Counts what changes here, so that a read that was overtaken is known. */
  readonly version: number;
  /** The read under way, with the version at its beginning. */
  readonly read: { readonly version: number } | null;
  /** Who waits for the first read. */
  readonly opening: readonly number[];
  /** One tab sends at a time. What waits is read after the lock is there, since its last holder has changed it. */
  readonly lock: 'free' | 'asked' | 'reading' | 'held';
  readonly retry: RetryState;
  /** The server asked not to be called before this time. */
  readonly notBefore: number;
  readonly isStopped: boolean;
}

interface PendingAdd<Payload> {
  readonly requestId: number;
  readonly item: OutboxItem<Payload>;
}

/** Why an item could not be sent. `refusal` and `reason` are for what is final. */
export interface SendFailure {
  readonly isTemporary: boolean;
  readonly retryAfterMs: number | null;
  readonly reason: string | null;
  readonly refusal: Refusal | null;
}

/** What the tabs of one person tell each other. */
export type OutboxTabMessage<Reply> =
  | { readonly type: 'changed' }
  | { readonly type: 'discarded'; readonly clientId: string }
  | { readonly type: 'acknowledged'; readonly clientId: string; readonly kind: string; readonly reply: Reply };

/** An acknowledgement on its way to those who show what the server stored. */
interface Delivery<Payload, Reply> {
  readonly clientId: string;
  readonly kind: string;
  readonly reply: Reply;
  /** Null where this tab did not know of it. */
  readonly item: OutboxItem<Payload> | null;
  /** True in the tab that sent it. */
  readonly isOwn: boolean;
}

interface Removal<Payload> {
  readonly item: OutboxItem<Payload>;
  /** What is kept of the reply in the same write. */
  readonly changes: readonly StoreChange[];
}

/** What may happen to an outbox; time (ms) and randomness in [0, 1) come with each event. */
export type OutboxEvent<Payload, Reply> = { readonly now: number; readonly random: number } & (
  | { readonly type: 'open'; readonly requestId: number }
  | { readonly type: 'add'; readonly requestId: number; readonly item: OutboxItem<Payload> }
  | { readonly type: 'row-added'; readonly order: number }
  | { readonly type: 'row-not-added'; readonly error: unknown }
  | { readonly type: 'retry'; readonly requestId: number; readonly clientId: string }
  | { readonly type: 'discard'; readonly requestId: number; readonly clientId: string }
  | {
      readonly type: 'row-discarded';
      readonly requestId: number;
      readonly clientId: string;
      readonly failure: Failure;
    }
  | { readonly type: 'flush' }
  | { readonly type: 'retry-due' }
  | { readonly type: 'stop' }
  | { readonly type: 'lock-granted' }
  | { readonly type: 'lock-lost'; readonly error: unknown }
  | { readonly type: 'rows-read'; readonly rows: readonly OutboxRow[] }
  | { readonly type: 'rows-unreadable'; readonly error: unknown }
  | { readonly type: 'sent'; readonly lane: string; readonly clientId: string; readonly reply: Reply }
  | { readonly type: 'send-failed'; readonly lane: string; readonly clientId: string; readonly failure: SendFailure }
  | {
      readonly type: 'delivered';
      readonly delivery: Delivery<Payload, Reply>;
      readonly changes: readonly StoreChange[];
    }
  | { readonly type: 'row-removed'; readonly removal: Removal<Payload>; readonly failure: Failure }
  | { readonly type: 'row-put'; readonly put: RowPut<Payload>; readonly failure: Failure }
  | { readonly type: 'tab-message'; readonly message: OutboxTabMessage<Reply> }
);

/** An item to be written as it is now; by a person's retry, or by the lane that tried to send it. */
export interface RowPut<Payload> {
  readonly item: OutboxItem<Payload>;
  readonly requestId: number | null;
}

export type OutboxEffect<Payload, Reply> =
  | { readonly type: 'read-rows' }
  | { readonly type: 'add-row'; readonly item: OutboxItem<Payload> }
  | { readonly type: 'put-row'; readonly put: RowPut<Payload> }
  | { readonly type: 'remove-row'; readonly removal: Removal<Payload> }
  | { readonly type: 'discard-row'; readonly requestId: number; readonly clientId: string; readonly order: number }
  | { readonly type: 'take-lock' }
  | { readonly type: 'release-lock' }
  | { readonly type: 'send'; readonly item: OutboxItem<Payload> }
  | { readonly type: 'deliver'; readonly delivery: Delivery<Payload, Reply> }
  | { readonly type: 'tell-tabs'; readonly message: OutboxTabMessage<Reply> }
  | { readonly type: 'set-timer'; readonly delayMs: number }
  | { readonly type: 'clear-timer' }
  | { readonly type: 'stop-sending' }
  | { readonly type: 'answer'; readonly requestId: number; readonly failure: Failure }
  | { readonly type: 'warn'; readonly line: string; readonly error?: unknown };
