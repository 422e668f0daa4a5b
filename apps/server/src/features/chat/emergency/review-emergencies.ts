import type * as contract from '@wardline/contract/chat/emergency-access.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { decodeListCursor, encodeListCursor } from '#/features/chat/core/list-cursor.ts';
import { reviewEmergencies } from '#/features/chat/core/policy.ts';
import { requireFacility } from '#/features/chat/core/require-chat.ts';
import { inOwnFacilities } from '#/platform/db/stated-actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { countWaiting, findEmergencyAccess, listEmergencyRows } from './emergency-queries.ts';

type List = typeof contract.listEmergencyAccesses;
type Count = typeof contract.countEmergencyAccesses;
type Review = typeof contract.reviewEmergencyAccess;

const PAGE = 50;

/** It names patients to somebody who is in none of their chats, which is noted. */
export async function listEmergencyAccesses(
  { actor, db, noteReads }: RequestContext,
  { params, query }: InputOf<List>,
): Promise<ReplyOf<List>> {
  const facilityId = params.facility;
  requireFacility(actor, facilityId);
  authorize(actor, reviewEmergencies, { facilityId });
  const after = query.cursor === undefined ? null : decodeListCursor(query.cursor);
  const question = { facilityId, isWaiting: query.review === 'waiting', after, limit: query.limit ?? PAGE };
  const { data, next } = await inOwnFacilities(() => listEmergencyRows(db, question));
  await noteReads('audit.view', [{ facilityId, objectType: 'facility', objectId: facilityId }]);
  return { data, next_cursor: next && encodeListCursor(next) };
}

/** How many somebody could sign off: it names nobody. */
export async function countEmergencyAccesses(
  { actor, db }: RequestContext,
  { params }: InputOf<Count>,
): Promise<ReplyOf<Count>> {
  const facilityId = params.facility;
  requireFacility(actor, facilityId);
  authorize(actor, reviewEmergencies, { facilityId });
  return { waiting: await inOwnFacilities(() => countWaiting(db, { facilityId, notOf: actor.userId })) };
}

/** Signs one off. What was said once stays: who thinks otherwise says so to whom it concerns. */
export async function reviewEmergencyAccess(
  { actor, write }: RequestContext,
  { params, body }: InputOf<Review>,
): Promise<ReplyOf<Review>> {
  const { facility: facilityId, emergency_access: id } = params;
  const { verdict, note = null } = body;
  requireFacility(actor, facilityId);
  authorize(actor, reviewEmergencies, { facilityId });
  return write('chat.emergency.review', async (tx) => {
    await sql`select from emergency_accesses where id = ${id} for no key update`.execute(tx);
    const standing = await findEmergencyAccess(tx, { facilityId, id });
    if (standing === null) throw new AppError('not_found');
    await authorizeNow(tx, actor, reviewEmergencies, { facilityId, userId: standing.person.id });
    const { review } = standing;
    if (review !== null) {
      const isRepeat = review.by.id === actor.userId && review.verdict === verdict && review.note === note;
      if (isRepeat) return { result: standing, audit: null };
      throw new AppError('conflict', { message: `${review.by.name} has reviewed it already.` });
    }
    await tx
      .updateTable('emergency_accesses')
      .set({ verdict, review_note: note, reviewed_by: actor.userId, reviewed_at: sql`now()` })
      .where('id', '=', id)
      .execute();
    const result = await findEmergencyAccess(tx, { facilityId, id });
    if (result === null) throw new Error('an emergency access was reviewed and is not there');
    return {
      result,
      audit: {
        facilityId,
        objectType: 'chat',
        objectId: result.chat.id,
        detail: { emergency_access: id, user: result.person.id, verdict },
      },
    };
  });
}
