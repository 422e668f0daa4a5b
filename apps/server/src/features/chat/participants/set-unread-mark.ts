import type * as contract from '@wardline/contract/chat/chat-management.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { membershipChanged } from '#/features/chat/core/chat-events.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.setUnreadMark;

const marks = typedRows<{ marked_unread_seq: number | null }>({ marked_unread_seq: 'number?' });

/** One's own mark, of a message that one sees: no line in the chat, and told to nobody but one's other devices. */
export async function setUnreadMark(
  { actor, db, write }: RequestContext,
  { params, body }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { marked_unread_seq: seq } = body;
  const { facilityId } = await requireChat(db, { actor, chatId: params.chat });
  return write('chat.unread.mark', async (tx) => {
    const stored = await marks.first(
      tx,
      sql`update chat_participants as p set marked_unread_seq =
          case when ${seq}::bigint is not null and c.head_seq > p.joined_seq
            then greatest(p.joined_seq + 1, least(${seq}::bigint, c.head_seq)) end
        from chats as c
        where p.chat_id = ${params.chat} and p.user_id = ${actor.userId} and p.left_at is null and c.id = p.chat_id
        returning p.marked_unread_seq`,
    );
    if (!stored) throw new AppError('not_found');
    return {
      result: stored,
      audit: { facilityId, objectType: 'chat', objectId: params.chat, detail: { ...stored } },
      publish: [membershipChanged(actor.userId, { facility_id: facilityId, chat_id: params.chat, change: 'changed' })],
    };
  });
}
