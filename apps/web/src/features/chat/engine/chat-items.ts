import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { Message, Participant } from '@wardline/contract/chat.ts';
import type { PendingMessage, TimelineItem } from '#/features/chat/core/chat-view.ts';
import { receiptOf } from './receipts.ts';
import type { MessagePayload } from './send-message.ts';

export interface ItemSources {
  readonly messages: readonly Message[];
  /** Mine of this chat, in order. */
  readonly outbox: readonly OutboxItem<MessagePayload>[];
  readonly participants: readonly Participant[];
  readonly myId: string;
}

/**
 * What a thread shows: messages by seq, holes marked, then what is not acknowledged yet (CHAT-2). An unsent message and the
 * stored one have the same client id: as soon as one is held, the other is not shown, whoever came first.
 */
export function timelineItems({ messages, outbox, participants, myId }: ItemSources): readonly TimelineItem[] {
  const items: TimelineItem[] = [];
  const stored = new Set<string>();
  let before: Message | undefined;
  for (const message of messages) {
    if (before !== undefined && message.seq > before.seq + 1) {
      items.push({ type: 'gap', afterSeq: before.seq, beforeSeq: message.seq });
    }
    items.push({ type: 'message', message, receipt: receiptOf(message, myId, participants) });
    if (message.sender.id === myId) stored.add(message.client_id);
    before = message;
  }
  for (const item of outbox) {
    if (!stored.has(item.clientId)) items.push({ type: 'pending', pending: toPending(item) });
  }
  return items;
}

function toPending({ clientId, payload, state, reason, writtenAt }: OutboxItem<MessagePayload>): PendingMessage {
  return { clientId, body: payload.body, state, reason, writtenAt };
}
