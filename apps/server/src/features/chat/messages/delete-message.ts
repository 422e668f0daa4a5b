import type * as contract from '@wardline/contract/chat/chat-changes.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { removeFiles } from '#/features/chat/attachments/remove-attachments.ts';
import { removeCitations, tellCited } from '#/features/chat/citations/store-citations.ts';
import { chatChanged, mentionDropped, messageChanged } from '#/features/chat/core/chat-events.ts';
import { countPins, loadChatChange, lockChat } from '#/features/chat/core/chat-queries.ts';
import {
  keepMentions,
  keepVersion,
  storeLastMessage,
  storeMessageChange,
} from '#/features/chat/core/message-queries.ts';
import { requireOwnMessage } from '#/features/chat/core/require-chat.ts';
import { withdrawDeleted } from '#/features/chat/urgent/withdraw-deleted.ts';
import { lockEscalation } from '#/platform/escalation/escalation-queries.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.deleteMessage;

/** Nothing gives the text and the files away any more; the files go, the text stays among the versions, for the audit alone. */
export async function deleteMessage(
  { actor, db, write }: RequestContext,
  { params, body: { reason } }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { chat: chatId, message: messageId } = params;
  const question = { actor, chatId, messageId };
  await requireOwnMessage(db, question);
  return write('chat.message.delete', async (tx) => {
    const escalation = await lockEscalation(tx, { kind: 'message', id: messageId });
    await lockChat(tx, chatId);
    const { chat, message } = await requireOwnMessage(tx, question);
    if (message.deleted) return { result: message, audit: null };
    const withdrawn = escalation && (await withdrawDeleted(tx, { chat, messageId, escalation, reason }));
    await keepVersion(tx, messageId);
    const dropped = message.mentions ? await keepMentions(tx, messageId, []) : [];
    if (message.pinned) await countPins(tx, chatId, -1);
    const files = message.attachments ? await removeFiles(tx, { messageId }) : [];
    const cited = await removeCitations(tx, messageId);
    const at = sql`date_trunc('milliseconds', clock_timestamp())`;
    const result = await storeMessageChange(
      tx,
      messageId,
      sql`body = '', attachments = null, reactions = null, pinned = null, citations = null, deleted_at = ${at}, delete_reason = ${reason}`,
    );
    const isLast = await storeLastMessage(tx, result);
    const changes = isLast || message.pinned || withdrawn ? chatChanged(await loadChatChange(tx, chatId)) : [];
    return {
      result,
      audit: {
        ...{ facilityId: chat.facilityId, objectType: 'message', objectId: messageId },
        detail: { chat: chatId, seq: message.seq, ...(files.length > 0 && { files }) },
      },
      publish: [
        ...(await messageChanged(tx, 'MessageDeleted', result)),
        ...(message.pinned || withdrawn ? [] : changes),
        ...dropped.map((markers) =>
          mentionDropped(chat.facilityId, { chat_id: chatId, head_seq: chat.headSeq, ...markers }),
        ),
      ],
      // How many are pinned now is news to who deletes, too.
      publishToAll: [
        ...(message.pinned || withdrawn ? changes : []),
        ...(withdrawn ?? []),
        ...(await tellCited(tx, chatId, cited)),
      ],
    };
  });
}
