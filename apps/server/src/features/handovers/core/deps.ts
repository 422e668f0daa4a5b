import type { Message, MessageAct } from '@wardline/contract/chat/chat.ts';
import type { HandoverSigner, HandoverSuggestion } from '@wardline/contract/examinations/handovers.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';

type Queryable = RequestContext['db'] | Transaction;

/** The chat that a hand-over belongs to, as who asks may use it. */
export interface OpenedChat {
  readonly id: string;
  readonly facilityId: string;
  readonly kind: string;
  readonly canWrite: boolean;
  readonly canManage: boolean;
}

/** To whom it goes, and by which role. */
export interface HandoverReceiver extends HandoverSigner {
  readonly role: { readonly id: string; readonly name: string } | null;
}

interface Place {
  readonly actor: Actor;
  readonly chatId: string;
}

/** What hand-overs need of chats, which are kept elsewhere. */
interface Chats {
  open(db: Queryable, question: Place): Promise<OpenedChat>;
  lock(tx: Transaction, chatId: string): Promise<void>;
  say(
    tx: Transaction,
    line: Place & { readonly facilityId: string; readonly body: string; readonly act: MessageAct },
  ): Promise<Publication[]>;
}

/** What only they need of them. */
interface ChatHandovers {
  findReceiver(
    tx: Transaction,
    asked: { facilityId: string; to: { user_id: string | null; role_id: string | null } },
  ): Promise<HandoverReceiver>;
  letIn(tx: Transaction, place: Place & { receiver: HandoverReceiver }): Promise<Publication[]>;
  holdsRole(db: Queryable, place: { roleId: string; userId: string }): Promise<boolean>;
  notableMessages(
    db: Queryable,
    of: { chatId: string; userId: string; ids: readonly string[] },
  ): Promise<Readonly<Record<'urgent' | 'pinned' | 'latest' | 'named', readonly Message[]>>>;
  handOver(tx: Transaction, place: Place & { giver: HandoverSigner }): Promise<Publication[]>;
}

export interface HandoverDeps {
  readonly chats: Chats;
  readonly handovers: ChatHandovers;
  /** What the examinations of a chat say. */
  readonly examinationSuggestions: (
    db: Queryable,
    of: { chatId: string; ids: readonly string[] },
  ) => Promise<{
    readonly suggestions: readonly HandoverSuggestion[];
    readonly named: readonly HandoverSuggestion['source'][];
  }>;
  /** The unit whose bed this is; null where none fits. */
  readonly unitOfBed: <Unit extends { readonly code: string }>(
    bed: string | null,
    units: readonly Unit[],
  ) => Unit | null;
  /** When something is signed; now where it is left out. */
  readonly now?: () => Date;
}
