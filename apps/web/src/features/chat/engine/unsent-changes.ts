import { ApiError } from '@wardline/client/http/api-error.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { Message } from '@wardline/contract/chat/chat.ts';
import type { MessageChange } from '#/features/chat/core/chat-view.ts';

/** Why a change was refused, in words for who made it. */
export function describeChangeFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return 'This could not be saved.';
  if (error.status === 403) return 'This chat can’t be changed any more.';
  if (error.status === 404) return 'You are no longer in this chat.';
  const sentences = Object.values(error.fieldErrors).flat();
  return sentences.length > 0 ? sentences.join(' ') : error.message;
}

/** What a change is, in a list of all that waits. */
export function describeChange(change: MessageChange): string {
  if (change.type === 'edit') return change.body;
  return { react: 'A reaction', delete: 'A deletion', pin: 'A pin', urgent: 'An acknowledgement' }[change.type];
}

interface Me {
  readonly id: string;
  readonly name: string;
}

/** A message as it will stand once my unsent changes are stored; what was refused is left out. */
export function withUnsent(message: Message, changes: readonly OutboxItem<MessageChange>[], me: Me): Message {
  let shown = message;
  for (const { payload, state, writtenAt } of changes) {
    if (state !== 'failed') shown = applyChange(shown, payload, { me, at: writtenAt });
  }
  return shown;
}

function applyChange(message: Message, change: MessageChange, { me, at }: { me: Me; at: string }): Message {
  switch (change.type) {
    case 'edit':
      return message.body === change.body
        ? message
        : { ...message, body: change.body, version: (message.version ?? 1) + 1, edited_at: at };
    case 'delete':
      return message.deleted
        ? message
        : { ...message, body: '', reactions: [], pinned: null, deleted: { at, reason: change.reason } };
    // What came of it the server says: nobody may believe that others know of it already.
    case 'urgent':
      return message;
    case 'pin': {
      const pinned = change.isPinned ? (message.pinned ?? { at, user_id: me.id, name: me.name }) : null;
      return { ...message, pinned };
    }
    case 'react': {
      const { code, isSet } = change;
      const given = message.reactions ?? [];
      const others = given.filter((reaction) => reaction.code !== code || reaction.user_id !== me.id);
      if (others.length < given.length === isSet) return message;
      const mine = { code, user_id: me.id, name: me.name, at };
      return { ...message, reactions: isSet ? [...given, mine] : others };
    }
  }
}
