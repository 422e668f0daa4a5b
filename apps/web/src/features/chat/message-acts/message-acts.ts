import type { MessageChange } from '#/features/chat/core/chat-view.ts';

/** What the person in front may do to the messages of the open chat. */
export interface MessageActs {
  readonly myId: string;
  readonly mayReact: boolean;
  readonly change: (change: MessageChange) => void;
  /** Of a change that was refused. */
  readonly onRetry: (clientId: string) => void;
  readonly onDiscard: (clientId: string) => void;
  readonly onCopy: (text: string) => void;
}
