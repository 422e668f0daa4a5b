import type { Call } from '@wardline/client/http/call.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { Message } from '@wardline/contract/chat.ts';
import { deleteMessage, editMessage, setPin, setReaction } from '@wardline/contract/chat-changes.ts';
import type { MessageChange } from '#/features/chat/core/chat-view.ts';

/** Hands an unsent change to the server; a repeat is answered with the message as it stands. */
export function sendChange(call: Call, item: OutboxItem<MessageChange>, signal: AbortSignal): Promise<Message> {
  const { payload, lane: chat, userId } = item;
  const params = { chat, message: payload.messageId };
  // Where another person signed in meanwhile in this browser, a server that compares refuses (A34).
  const rest = { headers: { 'X-Wardline-User': userId }, signal };
  switch (payload.type) {
    case 'react':
      return call(setReaction, { params: { ...params, code: payload.code }, body: { is_set: payload.isSet }, ...rest });
    case 'edit':
      return call(editMessage, { params, body: { expected_version: payload.version, body: payload.body }, ...rest });
    case 'pin':
      return call(setPin, { params, body: { is_pinned: payload.isPinned }, ...rest });
    case 'delete':
      return call(deleteMessage, { params, body: { reason: payload.reason }, ...rest });
  }
}
