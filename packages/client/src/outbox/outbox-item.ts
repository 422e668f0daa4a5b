import type { BrokenRule } from '@wardline/contract/errors.ts';
import type { OutboxRow } from '#/store/device-store.ts';

export type OutboxItemState = 'waiting' | 'sending' | 'failed';

/** Why the server will not have an item as it is. */
export interface Refusal {
  /** Status of the answer; 0 when the fault was ours. */
  readonly status: number;
  readonly code: string;
  readonly findings: readonly BrokenRule[];
}

/** One piece of unsent work. */
export interface OutboxItem<Payload> {
  readonly order: number;
  readonly clientId: string;
  readonly userId: string;
  /** Items of one lane leave one after the other. */
  readonly lane: string;
  /** What sort of work it is; empty where it was kept before there were several. */
  readonly kind: string;
  readonly payload: Payload;
  /** ISO instant by this device's clock. */
  readonly writtenAt: string;
  readonly attempts: number;
  readonly state: OutboxItemState;
  /** Why it failed, in words for its author. */
  readonly reason: string | null;
  readonly refusal: Refusal | null;
}

interface Content<Payload> {
  readonly kind?: string;
  readonly payload: Payload;
  readonly attempts: number;
  readonly isFailed: boolean;
  readonly reason: string | null;
  readonly refusal?: Refusal | null;
}

/** An item as the device keeps it; that it is being sent is a fact of one tab and not kept. */
export function toRow<Payload>(item: OutboxItem<Payload>): OutboxRow {
  const { order, clientId, userId, lane, writtenAt, kind, payload, attempts, reason, refusal } = item;
  const content: Content<Payload> = { kind, payload, attempts, isFailed: item.state === 'failed', reason, refusal };
  return { order, clientId, userId, lane, writtenAt, content };
}

export function fromRow<Payload>(row: OutboxRow): OutboxItem<Payload> {
  const { kind = '', payload, attempts, isFailed, reason, refusal = null } = row.content as Content<Payload>;
  const { order, clientId, userId, lane, writtenAt } = row;
  return {
    order,
    clientId,
    userId,
    lane,
    kind,
    writtenAt,
    payload,
    attempts,
    reason,
    refusal,
    state: isFailed ? 'failed' : 'waiting',
  };
}

/** How long an item may wait before its author is warned. */
export const OVERDUE_MS = 24 * 60 * 60 * 1000;

export interface OutboxCount {
  readonly waiting: number;
  readonly failed: number;
  /** When the oldest waiting item was written, null when none waits. */
  readonly oldestWaitingAt: string | null;
  /** Waiting over 24 h. */
  readonly overdue: number;
}

/** What still waits on this device. */
export function countOutbox(items: readonly OutboxItem<unknown>[], now: number): OutboxCount {
  const waiting = items.filter((item) => item.state !== 'failed');
  const times = waiting.map((item) => Date.parse(item.writtenAt));
  const oldest = times.length === 0 ? null : Math.min(...times);
  return {
    waiting: waiting.length,
    failed: items.length - waiting.length,
    oldestWaitingAt: oldest === null ? null : new Date(oldest).toISOString(),
    overdue: times.filter((time) => now - time > OVERDUE_MS).length,
  };
}
