import type { UnsentWork } from '@wardline/client/outbox/outbox.ts';
import type { Thread } from '#/features/chat/core/chat-view.ts';
import type { ChatListEngine } from './chat-list.ts';
import type { MarkerSender } from './raise-markers.ts';
import type { MessagePayload } from './send-message.ts';

interface ThreadActionsDeps {
  readonly chatId: string;
  readonly outbox: UnsentWork<MessagePayload>;
  readonly list: ChatListEngine;
  readonly markers: MarkerSender;
  readonly newId: () => string;
  readonly now: () => number;
  /** The newest seq that is on the screen. */
  readonly lastSeq: () => number;
}

/** What a person does in a thread; none of it waits for the network. */
export function createThreadActions(
  deps: ThreadActionsDeps,
): Pick<Thread, 'send' | 'retrySend' | 'discard' | 'markRead'> {
  const { chatId, outbox, list, markers } = deps;
  return {
    async send(body) {
      const text = body.trim();
      if (text === '') return;
      const writtenAt = new Date(deps.now()).toISOString();
      await outbox.add({ clientId: deps.newId(), lane: chatId, payload: { body: text }, writtenAt });
    },
    retrySend: (clientId) => outbox.retry(clientId),
    discard: (clientId) => outbox.discard(clientId),
    markRead(seq) {
      const chat = list.chat(chatId);
      const read_seq = Math.min(seq, deps.lastSeq());
      if (chat === null || read_seq <= chat.my.read_seq) return;
      markers.raise(chatId, { read_seq }, chat.my);
      list.noteMyMarkers(chatId, { read_seq });
    },
  };
}
