import { ApiError } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { Message } from '@wardline/contract/chat.ts';
import { setReaction } from '@wardline/contract/chat-changes.ts';
import type { MessageChange } from '#/features/chat/core/chat-view.ts';

/** Hands an unsent change to the server; a repeat is answered with the message as it stands. */
export function sendChange(call: Call, item: OutboxItem<MessageChange>, signal: AbortSignal): Promise<Message> {
  const { payload, lane: chat, userId } = item;
  const { messageId: message, code, isSet } = payload;
  // Where another person signed in meanwhile in this browser, a server that compares refuses (A34).
  const headers = { 'X-Wardline-User': userId };
  return call(setReaction, { params: { chat, message, code }, body: { is_set: isSet }, headers, signal });
}

/** Why a change was refused, in words for who made it. */
export function describeChangeFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return 'This could not be saved.';
  if (error.status === 403) return 'This chat can’t be changed any more.';
  if (error.status === 404) return 'You are no longer in this chat.';
  const sentences = Object.values(error.fieldErrors).flat();
  return sentences.length > 0 ? sentences.join(' ') : error.message;
}

/** A message as it will stand once my unsent changes are stored; what was refused is left out. */
export function withUnsent(
  message: Message,
  changes: readonly OutboxItem<MessageChange>[],
  me: { readonly id: string; readonly name: string },
): Message {
  let shown = message;
  for (const { payload, state, writtenAt } of changes) {
    if (state === 'failed') continue;
    const { code, isSet } = payload;
    const given = shown.reactions ?? [];
    const others = given.filter((reaction) => reaction.code !== code || reaction.user_id !== me.id);
    if (others.length < given.length === isSet) continue;
    const mine = { code, user_id: me.id, name: me.name, at: writtenAt };
    shown = { ...shown, reactions: isSet ? [...given, mine] : others };
  }
  return shown;
}
