import type { Attachment } from '@wardline/contract/chat/attachments.ts';
import type { Message, MessageAct, Patient } from '@wardline/contract/chat/chat.ts';
import type { Citation } from '@wardline/contract/chat/citations.ts';
import type {
  CriticalAlert,
  CriticalDecision,
  CriticalFinding,
  PlacedCriticalAlert,
} from '@wardline/contract/chat/critical.ts';
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
  /** Under the chat's lock: the messages that cite an examination say how what they cite stands. */
  recite(tx: Transaction, examinationId: string, standing: (citation: Citation) => Citation): Promise<Publication[]>;
  /** What one may read of a chat that was opened, past a place, the oldest first. */
  messagesAfter(
    db: RequestContext['db'],
    page: { chatId: string; userId: string; limit: number },
    seq: number,
  ): Promise<Message[]>;
  /** Of these files those that are pictures of a chat that was opened, and that this person may see. */
  pictures(
    db: RequestContext['db'] | Transaction,
    asked: { readonly chatId: string; readonly userId: string; readonly ids: readonly string[] },
  ): Promise<Attachment[]>;
  /** Those of a chat that was opened which have one of these SHA-256 (in hexadecimal), by it, and that this person may see. */
  picturesByHash(
    db: RequestContext['db'] | Transaction,
    asked: { readonly chatId: string; readonly userId: string; readonly hashes: readonly string[] },
  ): Promise<ReadonlyMap<string, Attachment>>;
  /** What these pictures of a chat are, whether or not they are still there; SHA-256 in hexadecimal. */
  namePictures(
    db: RequestContext['db'] | Transaction,
    asked: { readonly chatId: string; readonly ids: readonly string[] },
  ): Promise<{ id: string; name: string; mime: string; sha256: string }[]>;
  readonly cases: Cases;
}

/** A chat about a patient, for what is to be put into it. */
export interface CaseOfPatient {
  readonly id: string;
  readonly isOpen: boolean;
  readonly name: string;
  readonly identifier: string;
  readonly bornOn: string | null;
}

interface Cases {
  /** Of a facility, about patients with these numbers: letters and digits in small letters, without `MRN`. */
  byNumber(tx: Transaction, facilityId: string, numbers: readonly string[]): Promise<CaseOfPatient[]>;
  byId(tx: Transaction, facilityId: string, chatIds: readonly string[]): Promise<CaseOfPatient[]>;
  /** Open ones in which a person writes, the newest first. */
  writable(
    db: RequestContext['db'],
    asked: { readonly facilityId: string; readonly userId: string; readonly limit: number },
  ): Promise<CaseOfPatient[]>;
}

/** The alerts about an examination, held to the end of the transaction. */
export interface HeldAlerts {
  raise(raising: {
    readonly actor: Actor;
    readonly chatId: string;
    readonly examination: { readonly id: string; readonly title: string; readonly reportVersion: number };
    readonly findings: readonly CriticalFinding[];
    readonly patient: Patient;
  }): Promise<{ readonly alertId: string; readonly publish: Publication[] }>;
  withdraw(withdrawing: {
    readonly actor: Actor;
    readonly chatId: string;
    readonly alertIds: readonly string[];
    readonly note: string;
  }): Promise<Publication[]>;
}

interface Named {
  readonly user_id: string;
  readonly name: string;
}

/** A critical alert with the steps of its calling, in their order. */
export interface AlertStory extends CriticalAlert {
  readonly raisedBy: Named;
  readonly steps: readonly {
    readonly at: string;
    readonly kind: string;
    /** Whose act it was; null by the clock. */
    readonly by: Named | null;
    readonly called: readonly Named[];
    /** What of a read-back did not agree. */
    readonly wrong: string | null;
  }[];
}

/** What examinations need of the calling of people. */
interface CriticalAlerts {
  /** Before everything else of a transaction; takes the chat's lock as well. */
  hold(
    tx: Transaction,
    asked: {
      readonly actor: Actor;
      readonly chatId: string;
      readonly examinationId: string;
      readonly decision: CriticalDecision | null;
      /** Where the decision names nobody: everybody in the chat is called. */
      readonly callsEveryone?: boolean;
    },
  ): Promise<HeldAlerts>;
  /** The on-call role of the unit that a bed is in, where that has exactly one. */
  roleOfBed(
    tx: Transaction,
    place: { readonly facilityId: string; readonly bed: string | null },
  ): Promise<string | null>;
  list(db: RequestContext['db'] | Transaction, examinationId: string): Promise<PlacedCriticalAlert[]>;
  stories(db: RequestContext['db'], examinationId: string): Promise<AlertStory[]>;
}

/** A line in the group chat of those whom something of ours concerns. */
interface DiscussionLine {
  readonly facilityId: string;
  /** Null opens the chat. */
  readonly chatId: string | null;
  readonly title: string;
  readonly people: readonly string[];
  /** Of them those who are put in again where they left it. */
  readonly returning?: readonly string[];
  /** Null where the product itself speaks. */
  readonly by: null;
  readonly body: string;
  readonly act: MessageAct;
}

interface Discussions {
  say(
    tx: Transaction,
    line: DiscussionLine,
  ): Promise<{ readonly chatId: string; readonly publish: readonly Publication[] }>;
}

/** Calling people in such a chat, in the product's own name. */
interface DiscussionCalls {
  /** Whoever is named first is called first, else everybody in it. The chat is locked. */
  begin(
    tx: Transaction,
    call: {
      readonly facilityId: string;
      readonly chatId: string;
      readonly body: string;
      readonly first: readonly string[];
    },
  ): Promise<{ readonly messageId: string; readonly publish: readonly Publication[] }>;
  /** Before memberships and chats are locked; null where the call is over. */
  hold(
    tx: Transaction,
    messageId: string,
  ): Promise<{
    /** Not where somebody has taken it on, or everybody was called in vain. */
    readonly isCalling: boolean;
    end(ending: { readonly actor: Actor; readonly chatId: string; readonly note: string }): Promise<Publication[]>;
  } | null>;
}

export interface ExaminationDeps {
  readonly chats: Chats;
  readonly critical: CriticalAlerts;
  readonly discussions: Discussions;
  readonly calls: DiscussionCalls;
  /** When a report is signed; now where it is left out. */
  readonly now?: () => Date;
}
