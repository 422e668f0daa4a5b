import type { Attachment } from '@wardline/contract/chat/attachments.ts';
import type { Message, MessageAct } from '@wardline/contract/chat/chat.ts';
import type { Citation } from '@wardline/contract/chat/citations.ts';
import { findPictures, findPicturesByHash, namePictures } from '#/features/chat/attachments/list-pictures.ts';
import { recite } from '#/features/chat/citations/store-citations.ts';
import { chatChanged, messageChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import { loadChatChange, lockChat } from '#/features/chat/core/chat-queries.ts';
import { listMessagesAfter, type MessagePage } from '#/features/chat/core/message-queries.ts';
import {
  type CaseOfPatient,
  findCases,
  findCasesByNumber,
  listWritableCases,
} from '#/features/chat/core/patient-chats.ts';
import { manageChat, writeMessage } from '#/features/chat/core/policy.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';
import { appendLines } from './system-lines.ts';

/** A chat as a feature sees it whose things stand beside it. */
interface OpenedChat {
  readonly id: string;
  readonly facilityId: string;
  readonly kind: string;
  readonly canWrite: boolean;
  readonly canManage: boolean;
}

interface LineInChat {
  readonly actor: Actor;
  readonly chatId: string;
  readonly facilityId: string;
  /** What was done, said without the name. */
  readonly body: string;
  readonly act: MessageAct;
}

/** For features whose things belong to a chat: who reads the chat reads them, and what is done to them is a line in it. */
export interface ChatAccess {
  /** The chat as it is now, for who reads it; for anybody else it is not there (404). */
  open(db: RequestContext['db'], question: { actor: Actor; chatId: string }): Promise<OpenedChat>;
  /** Before the first change in a transaction that says a line: changes of a chat stand in a line. */
  lock(tx: Transaction, chatId: string): Promise<void>;
  /** What goes out after the commit. */
  say(tx: Transaction, line: LineInChat): Promise<Publication[]>;
  /** Under the chat's lock: tells the messages that cite an examination how what they cite stands now. */
  recite(tx: Transaction, examinationId: string, standing: (citation: Citation) => Citation): Promise<Publication[]>;
  /** What one may read of a chat that was opened, past a place, the oldest first. */
  messagesAfter(db: RequestContext['db'], page: MessagePage, seq: number): Promise<Message[]>;
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
  readonly cases: ChatsOfPatients;
}

/** For what is told of a patient from outside, by their number. */
interface ChatsOfPatients {
  /** Numbers as letters and digits in small letters, without `MRN`. */
  byNumber(tx: Transaction, facilityId: string, numbers: readonly string[]): Promise<CaseOfPatient[]>;
  byId(tx: Transaction, facilityId: string, chatIds: readonly string[]): Promise<CaseOfPatient[]>;
  /** Open ones in which a person writes, the newest first. */
  writable(
    db: RequestContext['db'],
    asked: { readonly facilityId: string; readonly userId: string; readonly limit: number },
  ): Promise<CaseOfPatient[]>;
}

export const chatAccess: ChatAccess = {
  async open(db, question) {
    const chat = await requireChat(db, question);
    const { actor } = question;
    return {
      id: chat.id,
      facilityId: chat.facilityId,
      kind: chat.kind,
      canWrite: can(actor, writeMessage, chat),
      canManage: can(actor, manageChat, chat),
    };
  },
  lock: lockChat,
  async say(tx, { body, ...line }) {
    const said = await appendLines(tx, line, [body]);
    return [...said.flatMap(messageSent), ...chatChanged(await loadChatChange(tx, line.chatId))];
  },
  async recite(tx, examinationId, standing) {
    const told: Publication[] = [];
    for (const message of await recite(tx, examinationId, standing)) {
      told.push(...(await messageChanged(tx, 'CitationsChanged', message)));
    }
    return told;
  },
  messagesAfter: listMessagesAfter,
  pictures: findPictures,
  picturesByHash: findPicturesByHash,
  namePictures,
  cases: { byNumber: findCasesByNumber, byId: findCases, writable: listWritableCases },
};
