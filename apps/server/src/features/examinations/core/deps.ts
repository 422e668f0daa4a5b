import type { Message, MessageAct } from '@wardline/contract/chat.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';

/** The chat that an examination belongs to, as who asks may use it. */
export interface OpenedChat {
  readonly id: string;
  readonly facilityId: string;
  readonly kind: string;
  readonly canWrite: boolean;
  readonly canManage: boolean;
}

interface ChatLine {
  readonly actor: Actor;
  readonly chatId: string;
  readonly facilityId: string;
  readonly body: string;
  readonly act: MessageAct;
}

/** What examinations need of chats, which are kept elsewhere. */
interface Chats {
  open(db: RequestContext['db'], question: { actor: Actor; chatId: string }): Promise<OpenedChat>;
  lock(tx: Transaction, chatId: string): Promise<void>;
  say(tx: Transaction, line: ChatLine): Promise<Publication[]>;
  /** What one may read of a chat that was opened, past a place, the oldest first. */
  messagesAfter(
    db: RequestContext['db'],
    page: { chatId: string; userId: string; limit: number },
    seq: number,
  ): Promise<Message[]>;
}

export interface ExaminationDeps {
  readonly chats: Chats;
}
