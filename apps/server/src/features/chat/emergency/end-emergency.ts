import { Id } from '@wardline/contract/values.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { chatChanged, membershipChanged } from '#/features/chat/core/chat-events.ts';
import { loadChatChange, lockChat } from '#/features/chat/core/chat-queries.ts';
import { appendLine } from '#/features/chat/core/message-queries.ts';
import { findParticipant } from '#/features/chat/core/participant-queries.ts';
import type { RemoveParticipantDeps } from '#/features/chat/participants/remove-participant.ts';
import type { Publish } from '#/platform/http/publish.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';

export const END_JOB = 'chat.emergency.end';

const Payload = z.object({ emergency_access: Id });

interface EndDeps extends RemoveParticipantDeps {
  readonly publish: Publish;
}

/** Takes somebody out of a chat when their hours are over, unless they left or somebody has added them meanwhile. */
export function endEmergency({ publish, rightsChanged }: EndDeps): JobHandler {
  return async (payload, context) => {
    const { emergency_access: id } = Payload.parse(payload);
    const access = await context.db
      .selectFrom('emergency_accesses as e')
      .innerJoin('users as u', 'u.id', 'e.user_id')
      .leftJoin('memberships as m', (join) =>
        join
          .onRef('m.user_id', '=', 'e.user_id')
          .onRef('m.facility_id', '=', 'e.facility_id')
          .on('m.ended_at', 'is', null),
      )
      .select(['e.chat_id', 'e.facility_id', 'e.user_id', 'u.name', 'm.title'])
      .where('e.id', '=', id)
      .executeTakeFirst();
    if (!access) return;
    const { chat_id: chatId, facility_id: facilityId, user_id: userId, name, title } = access;
    await createJobWrite(context, publish)('chat.emergency.end', async (tx) => {
      await lockChat(tx, chatId);
      const ended = await tx
        .updateTable('chat_participants')
        .set({ left_at: sql`now()`, own_access: null, own_joined_seq: null })
        .where('chat_id', '=', chatId)
        .where('user_id', '=', userId)
        .where('emergency_id', '=', id)
        .where('left_at', 'is', null)
        .returning('user_id')
        .executeTakeFirst();
      if (!ended) return { result: undefined, audit: null };
      await sql`select seat_role_holder(${chatId}::uuid, ${userId}::uuid)`.execute(tx);
      const change = (await findParticipant(tx, chatId, userId)) === null ? 'removed' : 'changed';
      const sender = { id: userId, name, title };
      await appendLine(tx, { chatId, sender, body: 'is no longer in this chat: the emergency access has ended' });
      return {
        result: undefined,
        audit: { facilityId, objectType: 'chat', objectId: chatId, detail: { user: userId, emergency_access: id } },
        publish: [
          membershipChanged(userId, { facility_id: facilityId, chat_id: chatId, change }),
          ...chatChanged(await loadChatChange(tx, chatId)),
        ],
        afterCommit: () => rightsChanged(userId),
      };
    });
  };
}
