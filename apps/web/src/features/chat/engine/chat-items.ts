import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { Message, Participant } from '@wardline/contract/chat/chat.ts';
import type { MessageChange, PendingMessage, TimelineItem } from '#/features/chat/core/chat-view.ts';
import { receiptOf } from './participants/receipts.ts';
import type { MessagePayload } from './send-message.ts';
import { withUnsent } from './unsent-changes.ts';

export interface ItemSources {
  readonly messages: readonly Message[];
  /** Mine of this chat, in order. */
  readonly outbox: readonly OutboxItem<MessagePayload>[];
  readonly unsentChanges: readonly OutboxItem<MessageChange>[];
  readonly participants: readonly Participant[];
  readonly myId: string;
}

/**
 * What a chat shows: messages by seq, holes marked, then what is not acknowledged yet (CHAT-2). An unsent message and the
 * stored one have the same client id: as soon as one is held, the other is not shown, whoever came first.
 */
export function timelineItems(sources: ItemSources): readonly TimelineItem[] {
  const { messages, outbox, participants, myId } = sources;
  const changesOf = unsentByMessage(sources);
  const items: TimelineItem[] = [];
  const stored = new Set<string>();
  let before: Message | undefined;
  for (const message of messages) {
    if (before !== undefined && message.seq > before.seq + 1) {
      items.push({ type: 'gap', afterSeq: before.seq, beforeSeq: message.seq });
    }
    items.push({ type: 'message', receipt: receiptOf(message, myId, participants), ...changesOf(message) });
    if (message.sender.id === myId) stored.add(message.client_id);
    before = message;
  }
  for (const item of outbox) {
    if (!stored.has(item.clientId)) items.push({ type: 'pending', pending: toPending(item) });
  }
  return items;
}

/** Each message with what was done to it here and is not stored yet. */
function unsentByMessage({ unsentChanges, participants, myId }: ItemSources) {
  const name = participants.find(({ user_id }) => user_id === myId)?.name ?? '';
  return (message: Message): Omit<Extract<TimelineItem, { type: 'message' }>, 'type' | 'receipt'> => {
    const changes = unsentChanges.filter(({ payload }) => payload.messageId === message.id);
    if (changes.length === 0) return { message };
    const failed = changes.filter(({ state }) => state === 'failed');
    const isUnsaved = changes.some(({ payload, state }) => /^[edu]/.test(payload.type) && state !== 'failed');
    return { message: withUnsent(message, changes, { id: myId, name }), refused: failed, isUnsaved };
  };
}

function toPending({ clientId, payload, state, reason, writtenAt }: OutboxItem<MessagePayload>): PendingMessage {
  const { replyTo, mentions, forward, files, urgent, cites } = payload;
  const { body, forwarded }: Pick<PendingMessage, 'body' | 'forwarded'> =
    forward ?? urgent ?? files ?? cites ?? payload;
  return {
    clientId,
    body,
    files: files?.list,
    forwarded,
    urgent,
    citations: cites?.list,
    replyToSeq: replyTo?.seq ?? null,
    mentions,
    state,
    reason,
    writtenAt,
  };
}
