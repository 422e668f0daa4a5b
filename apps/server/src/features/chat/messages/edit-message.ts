import type * as contract from '@wardline/contract/chat/chat-changes.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { chatChanged, mentionDropped, messageChanged } from '#/features/chat/core/chat-events.ts';
import { loadChatChange, lockChat } from '#/features/chat/core/chat-queries.ts';
import {
  keepMentions,
  keepVersion,
  storeLastMessage,
  storeMessageChange,
} from '#/features/chat/core/message-queries.ts';
import { requireOwnMessage } from '#/features/chat/core/require-chat.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.editMessage;

/** The text before it is kept as a version, which those who read the chat may read too. */
export async function editMessage(
  { actor, db, write }: RequestContext,
  { params, body: { body, expected_version } }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { chat: chatId, message: messageId } = params;
  const question = { actor, chatId, messageId };
  await requireOwnMessage(db, question);
  return write('chat.message.edit', async (tx) => {
    await lockChat(tx, chatId);
    const { chat, message } = await requireOwnMessage(tx, question);
    if (message.forwarded) throw invalidField('body', 'What was forwarded can’t be edited.');
    if (message.urgent)
      throw invalidField('body', 'An urgent message can’t be edited. Withdraw it and send another one.');
    if (message.deleted) throw new AppError('conflict', { message: 'This message was deleted.' });
    // Also a repeat whose answer was lost.
    if (message.body === body) return { result: message, audit: null };
    const version = message.version ?? 1;
    if (version !== expected_version)
      throw new AppError('conflict', { message: 'You changed this message elsewhere.' });
    await keepVersion(tx, messageId);
    const kept = (message.mentions ?? []).filter(({ name }) => body.includes(`@${name}`));
    const dropped = kept.length < (message.mentions?.length ?? 0) ? await keepMentions(tx, messageId, kept) : [];
    const at = sql`date_trunc('milliseconds', clock_timestamp())`;
    const result = await storeMessageChange(
      tx,
      messageId,
      sql`body = ${body}, version = version + 1, edited_at = ${at}`,
    );
    const isLast = await storeLastMessage(tx, result);
    const detail = { chat: chatId, seq: message.seq, version: version + 1 };
    return {
      result,
      audit: { facilityId: chat.facilityId, objectType: 'message', objectId: messageId, detail },
      publish: [
        ...(await messageChanged(tx, 'MessageEdited', result)),
        ...(isLast ? chatChanged(await loadChatChange(tx, chatId)) : []),
        ...dropped.map((markers) =>
          mentionDropped(chat.facilityId, { chat_id: chatId, head_seq: chat.headSeq, ...markers }),
        ),
      ],
    };
  });
}
