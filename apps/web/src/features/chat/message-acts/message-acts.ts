import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import type { MessageChange } from '#/features/chat/core/chat-view.ts';

/** What the person in front may do to the messages of the open chat. */
export interface MessageActs {
  readonly chat: Chat;
  readonly myId: string;
  readonly mayReact: boolean;
  readonly mayWrite: boolean;
  /** The next message written here answers this one. */
  readonly onReply: (message: Message) => void;
  /** The message at a place that another one answers: undefined until it is known, null where there is none for me. */
  readonly quoted: (seq: number) => Message | null | undefined;
  readonly onQuoteSeen: (seq: number) => void;
  /** Leads to a message. */
  readonly onShow: (seq: number) => void;
  readonly change: (change: MessageChange) => void;
  /** What is being written in the place of a message's text. */
  readonly editing: { readonly messageId: string; readonly text: string } | null;
  /** Opens that, with another text than its own where that was refused; null closes it. */
  readonly onEdit: (message: Message | null, text?: string) => void;
  readonly onDelete: (message: Message) => void;
  readonly onForward: (message: Message) => void;
  /** Keeps the chat as unread from this message on; null where the back end knows of no such mark. */
  readonly onMarkUnread: ((message: Message) => void) | null;
  readonly onVersions: (message: Message) => void;
  /** Of a change that was refused. */
  readonly onRetry: (clientId: string) => void;
  readonly onDiscard: (clientId: string) => void;
}
