import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { type ChatContext, makeChat, makeMessages } from '#/testing/factories/chats.ts';
import { idOf, type PersonKey } from '../people.ts';
import { backdate, Stage } from './stage.ts';
import { examinationStories } from './stories.ts';

interface DemoChat {
  readonly chat: ChatContext;
  readonly ids: ReadonlyMap<PersonKey, string>;
  readonly now: Date;
}

/** Makes a chat with what was examined in it, each in its place among the lines; how many lines it has in the end. */
export async function makeDemoChat(tx: DatabaseTransaction, { chat, ids, now }: DemoChat): Promise<number> {
  const { messages = [], participants, facilityId } = chat;
  const events = examinationStories[chat.title ?? ''] ?? [];
  if (events.length === 0) return (await makeChat(tx, chat)).headSeq;
  const times = events.map(({ minutesAgo }) => new Date(now.getTime() - minutesAgo * 60_000));
  const before = (at: Date | undefined) => messages.filter((line) => at === undefined || (line.at ?? now) <= at).length;
  // Nobody has read what is not there yet.
  const people = participants.map((person) => ({ ...person, readSeq: 0 }));
  const { id: chatId } = await makeChat(tx, {
    ...chat,
    participants: people,
    messages: messages.slice(0, before(times[0])),
  });
  for (const [index, event] of events.entries()) {
    const at = times[index] ?? now;
    const place = { tx, chatId, at };
    const head = await headOf(tx, chatId);
    await event.run(new Stage(place), (key) => idOf(ids, key));
    await backdate(place, head);
    const next = messages.slice(before(at), before(times[index + 1]));
    if (next.length === 0) continue;
    await makeMessages(tx, { chatId, facilityId, after: await headOf(tx, chatId), messages: next });
  }
  const head = await headOf(tx, chatId);
  for (const { userId, readSeq = 0 } of participants) {
    // As many of the newest are unread as the script says.
    const read = { read_seq: head - (messages.length - readSeq), delivered_seq: head - (messages.length - readSeq) };
    await tx
      .updateTable('chat_participants')
      .set(read)
      .where('chat_id', '=', chatId)
      .where('user_id', '=', userId)
      .execute();
  }
  return head;
}

async function headOf(tx: DatabaseTransaction, chatId: string): Promise<number> {
  const { head_seq } = await tx
    .selectFrom('chats')
    .select('head_seq')
    .where('id', '=', chatId)
    .executeTakeFirstOrThrow();
  return Number(head_seq);
}
