import type * as contract from '@wardline/contract/chat/chat.ts';
import type { Markers } from '@wardline/contract/chat/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { markersChanged } from '#/features/chat/core/chat-events.ts';
import { findParticipant } from '#/features/chat/core/participant-queries.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import { noteReached } from '#/features/chat/urgent/note-reached.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.raiseMarkers;

/**
 * A marker changes nothing clinical and only rises: no entry of its own. Who raises the read one has the chat open and reads what
 * comes by the socket, which the audit tells as reading.
 */
export async function raiseMarkers(
  { actor, write, noteReads }: RequestContext,
  { params, body }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { userId } = actor;
  const { markers, facilityId } = await write('chat.markers.raise', async (tx) => {
    const chat = await requireChat(tx, { actor, chatId: params.chat });
    const read = body.read_seq ?? 0;
    // Reading implies delivery.
    const wanted = { chatId: params.chat, userId, delivered: Math.max(body.delivered_seq ?? 0, read), read };
    // Before the person's row is held: what is said in the chat needs it while it holds the escalation and the chat.
    const reached = await noteReached(tx, wanted);
    const raised = await storeMarkers(tx, wanted);
    if (raised === null) {
      const standing = await findParticipant(tx, params.chat, userId);
      if (standing === null) throw new AppError('not_found');
      return {
        result: { markers: toMarkers(standing), facilityId: chat.facilityId },
        audit: null,
        publishToAll: reached,
      };
    }
    const { delivered_seq, read_seq, head_seq } = raised;
    return {
      result: { markers: { delivered_seq, read_seq }, facilityId: chat.facilityId },
      audit: null,
      publish: markersChanged({ chat_id: params.chat, user_id: userId, head_seq, delivered_seq, read_seq }),
      // The answer tells only the markers: the card of who was called is heard of by their own device too.
      publishToAll: reached,
    };
  });
  if (body.read_seq !== undefined) {
    await noteReads('chat.read', [{ facilityId, objectType: 'chat', objectId: params.chat }]);
  }
  return markers;
}

function toMarkers({ delivered_seq, read_seq }: Markers): Markers {
  return { delivered_seq, read_seq };
}

interface StandingMarkers extends Markers {
  readonly head_seq: number;
}

const standingMarkers = typedRows<StandingMarkers>({
  delivered_seq: 'number',
  read_seq: 'number',
  head_seq: 'number',
});

interface WantedMarkers {
  readonly chatId: string;
  readonly userId: string;
  readonly delivered: number;
  readonly read: number;
}

/** Raises what is lower, never past the newest message; null when nothing rose. */
async function storeMarkers(tx: DatabaseTransaction, wanted: WantedMarkers): Promise<StandingMarkers | null> {
  const { chatId, userId, delivered, read } = wanted;
  const query = sql`
    update chat_participants as p set
      delivered_seq = greatest(p.delivered_seq, least(${delivered}::bigint, c.head_seq)),
      read_seq = greatest(p.read_seq, least(${read}::bigint, c.head_seq))
    from chats as c
    where p.chat_id = ${chatId} and p.user_id = ${userId} and p.left_at is null and c.id = p.chat_id
      and (p.delivered_seq < least(${delivered}::bigint, c.head_seq) or p.read_seq < least(${read}::bigint, c.head_seq))
    returning p.delivered_seq, p.read_seq, c.head_seq`;
  return (await standingMarkers.first(tx, query)) ?? null;
}
