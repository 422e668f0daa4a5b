import type { Message } from '@wardline/contract/chat/chat.ts';
import type { PendingMessage, Receipt, RefusedChange, TimelineItem } from '#/features/chat/core/chat-view.ts';
import { dayIn } from '#/shared/time/zoned-time.ts';

const groupMs = 5 * 60 * 1000;

/** One line of a chat as it is drawn. `isHead` opens a group: the sender is named there and not again below it. */
export type TimelineRow =
  | { readonly kind: 'day'; readonly key: string; readonly day: string }
  | { readonly kind: 'new'; readonly key: string }
  | { readonly kind: 'gap'; readonly key: string; readonly afterSeq: number; readonly beforeSeq: number }
  | { readonly kind: 'note'; readonly key: string; readonly message: Message }
  | {
      readonly kind: 'message';
      readonly key: string;
      readonly message: Message;
      readonly receipt: Receipt | null;
      readonly refused: readonly RefusedChange[] | undefined;
      readonly isUnsaved: boolean | undefined;
      readonly isOwn: boolean;
      readonly isHead: boolean;
    }
  | { readonly kind: 'pending'; readonly key: string; readonly pending: PendingMessage; readonly isHead: boolean };

/** True for the key of a row that stays what it is whatever is loaded around it. */
export function isMessageKey(key: unknown): boolean {
  return typeof key === 'string' && /^[cs]-/.test(key);
}

export interface Grouping {
  readonly myId: string;
  readonly timeZone: string;
  readonly firstUnreadSeq: number | null;
}

interface Place {
  day: string;
  /** Who spoke last and when, or null where a group cannot go on. */
  last: { senderId: string; at: number } | null;
}

/** Lays days, the 'New' divider and sender groups over the items of a chat; their order stays as it is. */
export function groupRows(items: readonly TimelineItem[], grouping: Grouping): TimelineRow[] {
  const rows: TimelineRow[] = [];
  const place: Place = { day: '', last: null };
  for (const item of items) {
    if (item.type === 'gap') {
      rows.push({ kind: 'gap', key: `gap-${item.beforeSeq}`, afterSeq: item.afterSeq, beforeSeq: item.beforeSeq });
      place.last = null;
    } else if (item.type === 'pending') {
      addPending(rows, place, item.pending, grouping);
    } else {
      addMessage(rows, place, item, grouping);
    }
  }
  return withoutRepeatedReceipts(rows);
}

/**
 * By whom they were read stands once under messages that I wrote in a row and the same people have read. What others say between ends
 * the row: a line in view goes by what stands beside it, and never for what is loaded elsewhere (CHAT-13).
 */
function withoutRepeatedReceipts(rows: readonly TimelineRow[]): TimelineRow[] {
  let below = '';
  return rows
    .toReversed()
    .map((row) => {
      if (row.kind === 'gap' || (row.kind === 'message' && row.receipt === null)) below = '';
      if (row.kind !== 'message' || row.receipt === null) return row;
      // Markers only rise: as many have read this one as the one below, so they are the same.
      const receipt = JSON.stringify(row.receipt);
      const isRepeated = receipt === below;
      below = receipt;
      return isRepeated ? { ...row, receipt: null } : row;
    })
    .toReversed();
}

function addMessage(
  rows: TimelineRow[],
  place: Place,
  { message, receipt, refused, isUnsaved }: Extract<TimelineItem, { type: 'message' }>,
  { myId, timeZone, firstUnreadSeq }: Grouping,
): void {
  const at = Date.parse(message.created_at);
  addDay(rows, place, dayIn(timeZone, at));
  if (message.seq === firstUnreadSeq) {
    rows.push({ kind: 'new', key: 'new' });
    place.last = null;
  }
  if (message.kind === 'system') {
    rows.push({ kind: 'note', key: `s-${message.seq}`, message });
    place.last = null;
    return;
  }
  const isOwn = message.sender.id === myId;
  // An own row keeps the key it had while it was pending, so it is acknowledged in place.
  const key = isOwn ? `c-${message.client_id}` : `s-${message.seq}`;
  // Who goes on writing as an on-call role, or no longer, is named anew.
  const sender = message.sender.id + (message.sender_role ?? '');
  rows.push({
    kind: 'message',
    key,
    message,
    receipt,
    refused,
    isUnsaved,
    isOwn,
    isHead: !continues(place, sender, at),
  });
  place.last = { senderId: sender, at };
}

function addPending(rows: TimelineRow[], place: Place, pending: PendingMessage, { myId, timeZone }: Grouping): void {
  const at = Date.parse(pending.writtenAt);
  const day = dayIn(timeZone, at);
  // The device's clock is a label only: it opens a later day, it never goes back to an earlier one.
  if (day > place.day) addDay(rows, place, day);
  const isHead = !continues(place, myId, Math.max(at, place.last?.at ?? at));
  rows.push({ kind: 'pending', key: `c-${pending.clientId}`, pending, isHead });
  place.last = { senderId: myId, at };
}

function addDay(rows: TimelineRow[], place: Place, day: string): void {
  if (day === place.day) return;
  rows.push({ kind: 'day', key: `day-${day}`, day });
  place.day = day;
  place.last = null;
}

function continues({ last }: Place, senderId: string, at: number): boolean {
  return last !== null && last.senderId === senderId && at - last.at < groupMs;
}
