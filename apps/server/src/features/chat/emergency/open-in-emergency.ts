import { EMERGENCY_ACCESS_HOURS, type openInEmergency as endpoint } from '@wardline/contract/chat/emergency-access.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { chatChanged, membershipChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import { findChat, loadChatChange, lockChat } from '#/features/chat/core/chat-queries.ts';
import { holdMembers, upsertParticipant } from '#/features/chat/core/participant-queries.ts';
import { breakGlass } from '#/features/chat/core/policy.ts';
import { requireFacility } from '#/features/chat/core/require-chat.ts';
import { appendLines } from '#/features/chat/messages/system-lines.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { END_JOB } from './end-emergency.ts';
import { type EmergencyDeps, readPatientChats } from './find-patient-chats.ts';

type Endpoint = typeof endpoint;

const HOUR_MS = 3_600_000;

/**
 * Lets somebody into a chat about a patient whom they must treat at once and whose chat nobody has added them to. They read all of
 * it and write, for some hours; everybody in it sees at once who came and why.
 */
export function openInEmergency({ looks }: EmergencyDeps) {
  return async (
    { actor, db, write }: RequestContext,
    { params, body }: InputOf<Endpoint>,
  ): Promise<ReplyOf<Endpoint>> => {
    const facilityId = params.facility;
    const { chat_id: chatId, client_id: id, reason } = body;
    const { userId } = actor;
    requireFacility(actor, facilityId);
    authorize(actor, breakGlass, { facilityId });
    await looks.take(userId);
    const question = { facilityId, userId, patient: body, chatId };
    if ((await readPatientChats(db, question)).length === 0) throw new AppError('not_found');
    return write('chat.emergency.open', async (tx) => {
      const members = await holdMembers(tx, facilityId, [userId]);
      if (!members.has(userId)) throw new AppError('not_found');
      await lockChat(tx, chatId);
      await authorizeNow(tx, actor, breakGlass, { facilityId });
      // Also where this was sent twice, or somebody has added them meanwhile.
      const standing = await findChat(tx, userId, chatId);
      if (standing !== null) return { result: standing, audit: null };
      const endsAt = new Date(Date.now() + EMERGENCY_ACCESS_HOURS * HOUR_MS);
      const stored = await tx
        .insertInto('emergency_accesses')
        .values({ id, facility_id: facilityId, chat_id: chatId, user_id: userId, reason, ends_at: endsAt })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!stored) throw new AppError('conflict', { message: 'This emergency access is over. Open the chat anew.' });
      await upsertParticipant(tx, { chatId, facilityId, userId, access: 'write', joinedSeq: 0, emergencyId: id });
      await enqueueJob(tx, { kind: END_JOB, payload: { emergency_access: id }, runAt: endsAt, isPressing: true });
      const lines = await appendLines(tx, { actor, chatId, facilityId }, [
        `opened this chat in an emergency, for ${EMERGENCY_ACCESS_HOURS} hours: ${reason}`,
      ]);
      const result = await findChat(tx, userId, chatId);
      if (result === null) throw new Error('a chat was opened and is not there');
      return {
        result,
        audit: { facilityId, objectType: 'chat', objectId: chatId, detail: { emergency_access: id } },
        publish: [
          membershipChanged(userId, { facility_id: facilityId, chat_id: chatId, change: 'added' }),
          ...lines.flatMap(messageSent),
          ...chatChanged(await loadChatChange(tx, chatId)),
        ],
      };
    });
  };
}
