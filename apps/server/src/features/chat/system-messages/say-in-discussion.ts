import { chatChanged, membershipChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import { insertChat, readChatNews, storeChatChange } from '#/features/chat/core/chat-queries.ts';
import { hashContent } from '#/features/chat/core/content-hash.ts';
import { appendLine } from '#/features/chat/core/message-queries.ts';
import { holdMembers, insertParticipants } from '#/features/chat/core/participant-queries.ts';
import type { Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';
import { newId } from '#/platform/new-id.ts';
import { SERVER_USER } from '#/platform/server-user.ts';
import type { SayInThread, ThreadLine } from '#/platform/threads/threads.ts';
import { addConcerned, findTitle, lockThread } from './discussion-queries.ts';

const LONGEST_TITLE = 120;

/**
 * Says what happened to something of another feature, in the group chat about it: opened with the first line, for those who
 * are concerned and are members. A chat that was closed is reopened, since people are to answer.
 */
export const sayInThread: SayInThread = async (tx, line) => {
  const { facilityId, people, body, act } = line;
  const sender = await senderOf(tx, line);
  const members = await holdMembers(tx, facilityId, [...new Set(people)].sort());
  if (line.chatId === null) {
    const chatId = await openThread(tx, { line, createdBy: sender.id, members: [...members].sort() });
    await appendLine(tx, { chatId, sender, body, act });
    return { chatId, publish: [...members].map((userId) => added(userId, { facilityId, chatId })) };
  }
  const { chatId } = line;
  const thread = await lockThread(tx, { chatId, facilityId });
  const newcomers = await addConcerned(tx, { chatId, facilityId, userIds: [...members] });
  const messages = [];
  if (thread.state !== 'open' && thread.state !== 'handed_over') {
    await storeChatChange(tx, chatId, { title: thread.title, state: 'open', version: thread.version + 1 });
    messages.push(await appendLine(tx, { chatId, sender, body: 'reopened the chat' }));
  }
  messages.push(await appendLine(tx, { chatId, sender, body, act }));
  return {
    chatId,
    publish: [
      ...newcomers.map((userId) => added(userId, { facilityId, chatId })),
      ...messages.map(messageSent),
      ...chatChanged(await readChatNews(tx, chatId)),
    ],
  };
};

/** Whose line it is: a person, as they are in the facility, or the product itself. */
async function senderOf(tx: Transaction, { by, facilityId }: ThreadLine) {
  if (by === null) return { ...SERVER_USER, title: null };
  return { id: by.userId, name: by.name, title: await findTitle(tx, { facilityId, userId: by.userId }) };
}

interface Opening {
  readonly line: ThreadLine;
  readonly createdBy: string;
  readonly members: readonly string[];
}

async function openThread(tx: Transaction, { line, createdBy, members }: Opening): Promise<string> {
  const { facilityId } = line;
  const chatId = newId();
  const title = line.title.slice(0, LONGEST_TITLE);
  const contentHash = hashContent({ facilityId, kind: 'group', title, patient: null, others: members });
  const chat = { id: chatId, facilityId, kind: 'group', title, patient: null, createdBy } as const;
  if (!(await insertChat(tx, { ...chat, clientId: newId(), contentHash }))) throw new Error('a new id was used before');
  const managing = members.filter((userId) => userId === line.by?.userId);
  await insertParticipants(tx, { chatId, facilityId, userIds: managing, access: 'manage' });
  const others = members.filter((userId) => !managing.includes(userId));
  await insertParticipants(tx, { chatId, facilityId, userIds: others, access: 'write' });
  return chatId;
}

function added(userId: string, { facilityId, chatId }: { facilityId: string; chatId: string }): Publication {
  return membershipChanged(userId, { facility_id: facilityId, chat_id: chatId, change: 'added' });
}
