import type {
  AskedUrgent,
  Chat,
  Forwarded,
  Mention,
  Message,
  Participant,
  ReactionCode,
} from '@wardline/contract/chat/chat.ts';
import type { Citation } from '@wardline/contract/chat/citations.ts';
import type { FileRef } from './file-ref.ts';

/** What the screens know of chats; the sync engine behind the hooks of this feature keeps it true. */

export type LoadStatus = 'loading' | 'ready' | 'failed';

/** A chat of mine with what this device still owes it. */
export interface ChatListItem {
  readonly chat: Chat;
  /** Messages of mine that wait on this device. */
  readonly pending: number;
  /** Messages of mine that need a decision: retry, copy or discard. */
  readonly failed: number;
}

export interface ChatList {
  readonly status: LoadStatus;
  /** Newest activity first. */
  readonly items: readonly ChatListItem[];
  /** Sum of unread over all chats with unread > 0: how many chats, how many messages. */
  readonly unreadChats: number;
  /** True while what is shown comes from the device and has not been confirmed since. */
  readonly isFromDevice: boolean;
  readonly error: string | null;
  retry(): void;
}

/** How far an own message has got. */
export type Receipt =
  | { readonly state: 'sent' }
  | { readonly state: 'delivered'; readonly count: number }
  | { readonly state: 'read'; readonly count: number; readonly of: number };

export type PendingState = 'waiting' | 'sending' | 'failed';

export interface PendingMessage {
  readonly clientId: string;
  readonly body: string;
  readonly replyToSeq?: number | null;
  readonly mentions?: readonly Mention[] | undefined;
  readonly forwarded?: Forwarded | undefined;
  readonly files?: readonly FileRef[] | undefined;
  readonly urgent?: UrgentPayload | undefined;
  readonly citations?: readonly Citation[] | undefined;
  readonly state: PendingState;
  /** Why it failed, in words for the sender. */
  readonly reason: string | null;
  /** When send was pressed, by this device's clock. */
  readonly writtenAt: string;
}

/** What is done to a message after it was sent. */
export type MessageChange = { readonly messageId: string } & (
  | { readonly type: 'react'; readonly code: ReactionCode; readonly isSet: boolean }
  /** `version` is the one that was changed. */
  | { readonly type: 'edit'; readonly body: string; readonly version: number }
  | { readonly type: 'delete'; readonly reason: string }
  | { readonly type: 'pin'; readonly isPinned: boolean }
  /** What one does about an urgent message: takes care of it, says what was done, takes it back. */
  | { readonly type: 'urgent'; readonly act: 'accept' }
  | { readonly type: 'urgent'; readonly act: 'close' | 'withdraw'; readonly note: string }
);

/** A change of mine to a message that the server will not have. */
export interface RefusedChange {
  readonly clientId: string;
  readonly payload: MessageChange;
  /** Why, in words for who made it. */
  readonly reason: string | null;
}

export type TimelineItem =
  | {
      readonly type: 'message';
      /** With my changes that the server does not have yet. */
      readonly message: Message;
      readonly receipt: Receipt | null;
      readonly refused?: readonly RefusedChange[];
      /** Its text is not stored as it is shown. */
      readonly isUnsaved?: boolean;
    }
  /** Messages that exist but are not on this device yet: (afterSeq, beforeSeq), both exclusive. */
  | { readonly type: 'gap'; readonly afterSeq: number; readonly beforeSeq: number }
  /** Mine, not yet acknowledged by the server; always last, in the order written. */
  | { readonly type: 'pending'; readonly pending: PendingMessage };

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly title: string | null;
}

/** Whom an unsent urgent message is to call. */
export interface UrgentPayload {
  readonly body: string;
  readonly asked: AskedUrgent;
}

/** What goes with the text of a message. */
export interface SendOptions {
  readonly replyTo?: Pick<Message, 'id' | 'seq'> | null;
  readonly mentions?: readonly Mention[];
  readonly files?: readonly FileRef[];
  readonly citations?: readonly Citation[];
}

export interface ChatView {
  readonly status: LoadStatus | 'not-found';
  readonly error: string | null;
  readonly chat: Chat | null;
  /** By seq, gaps marked, pending last. */
  readonly items: readonly TimelineItem[];
  readonly hasOlder: boolean;
  readonly isLoadingOlder: boolean;
  /** The first message that was unread when the chat was opened; the 'New' divider stands before it. */
  readonly firstUnreadSeq: number | null;
  readonly participants: readonly Participant[];
  /** Who has the chat open now, without me. */
  readonly present: readonly Person[];
  /** Who is typing now, without me. */
  readonly typing: readonly Person[];
  readonly isFromDevice: boolean;
  /** Messages that others quote and that are not held; null where there is none for me. */
  readonly quotes: ReadonlyMap<number, Message | null>;
  /** Stores the text in the outbox, its files beside it, and shows it; never waits for the network. */
  send(body: string, options?: SendOptions): Promise<void>;
  /** Fetches what is around a message that somebody is led to; rejects where that cannot be had. */
  show(seq: number): Promise<void>;
  /** A quote is in view whose message is not held. */
  loadQuote(seq: number): void;
  /** Stores a change of a message in the outbox and shows it; never waits for the network. */
  change(payload: MessageChange): Promise<void>;
  retrySend(clientId: string): Promise<void>;
  /** Takes an unsent message or change off the device. */
  discard(clientId: string): Promise<void>;
  loadOlder(): void;
  /** Fills the gap that ends before this seq. */
  fillGap(beforeSeq: number): void;
  /** The message was visible for 600 ms in a focused tab: raises the read marker. */
  markRead(seq: number): void;
  /** A key was pressed in the composer; at most one notice per 3 s goes out. */
  noteTyping(): void;
  /** Something was done about its people: asks who is in it now. */
  refreshPeople(): void;
  retry(): void;
}
