import type { Call } from '@wardline/client/http/call.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import { type Chat, sendMessage as endpoint, type Message, sendDirectMessage } from '@wardline/contract/chat/chat.ts';
import {
  deleteMessage,
  editMessage,
  forwardMessage,
  setPin,
  setReaction,
} from '@wardline/contract/chat/chat-changes.ts';
import { sendRoleMessage } from '@wardline/contract/chat/chat-roles.ts';
import { acceptUrgent, closeUrgent, withdrawUrgent } from '@wardline/contract/chat/urgent-acts.ts';
import type { MessageChange, UrgentPayload } from '#/features/chat/core/chat-view.ts';
import {
  type DirectTarget,
  type ForwardPayload,
  type MessagePayload,
  sendMessage,
} from '#/features/chat/engine/send-message.ts';

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
    case 'urgent':
      return sendUrgentAct(call, params, { payload, rest });
    case 'delete':
      return call(deleteMessage, { params, body: { reason: payload.reason }, ...rest });
  }
}

type UrgentAct = MessageChange & { readonly type: 'urgent' };

function sendUrgentAct(
  call: Call,
  params: { readonly chat: string; readonly message: string },
  { payload, rest }: { payload: UrgentAct; rest: { headers: Record<string, string>; signal: AbortSignal } },
): Promise<Message> {
  if (payload.act === 'accept') return call(acceptUrgent, { params, ...rest });
  const { note } = payload;
  return call(payload.act === 'close' ? closeUrgent : withdrawUrgent, { params, body: { note }, ...rest });
}

/** Hands over what is kept without a body, so that a build that does not know it has it refused. */
export async function sendBodiless(
  call: Call,
  item: OutboxItem<MessagePayload>,
  signal: AbortSignal,
): Promise<Message> {
  const { forward, urgent } = item.payload;
  if (forward) return sendForward(call, { item, forward, signal });
  if (urgent) return sendUrgent(call, { item, urgent, signal });
  // Of a later build; the server says what is missing.
  return sendMessage(call, item, signal);
}

/** Hands over an urgent message; the server begins to call when it has it. */
export function sendUrgent(
  call: Call,
  { item, urgent, signal }: { item: OutboxItem<MessagePayload>; urgent: UrgentPayload; signal: AbortSignal },
): Promise<Message> {
  const { clientId: client_id, writtenAt: device_time, payload } = item;
  return call(endpoint, {
    params: { chat: item.lane },
    body: {
      ...{ client_id, device_time, body: urgent.body, urgent: urgent.asked },
      ...(payload.replyTo && { reply_to: payload.replyTo.id }),
    },
    headers: { 'X-Wardline-User': item.userId },
    signal,
  });
}

/** Asks the server to say in the item's chat what was said elsewhere; the words are those that the server has. */
export function sendForward(
  call: Call,
  { item, forward, signal }: { item: OutboxItem<unknown>; forward: ForwardPayload; signal: AbortSignal },
): Promise<Message> {
  return call(forwardMessage, {
    params: { chat: item.lane },
    body: { client_id: item.clientId, source: forward.source, device_time: item.writtenAt },
    // Where another person signed in meanwhile in this browser, a server that compares refuses (A34).
    headers: { 'X-Wardline-User': item.userId },
    signal,
  });
}

interface ToSend {
  readonly item: OutboxItem<MessagePayload>;
  readonly to: DirectTarget;
  readonly signal: AbortSignal;
  /** The server's ids of its files. */
  readonly attachments?: readonly string[] | undefined;
}

/** Hands over a message to a person or an on-call role; the answer has the chat that I have with them now. */
export function sendToPerson(
  call: Call,
  { item, to, signal, attachments }: ToSend,
): Promise<{ chat: Chat; message: Message }> {
  const { clientId: client_id, writtenAt: device_time, payload } = item;
  const { urgent, files } = payload;
  const sent = {
    body: {
      ...{ client_id, device_time, body: (urgent ?? files ?? payload).body },
      ...(urgent && { urgent: urgent.asked }),
      ...(attachments && { attachments: [...attachments] }),
    },
    headers: { 'X-Wardline-User': item.userId },
    signal,
  };
  const facility = to.facilityId;
  return 'roleId' in to
    ? call(sendRoleMessage, { params: { facility, role: to.roleId }, ...sent })
    : call(sendDirectMessage, { params: { facility, user: to.userId }, ...sent });
}
